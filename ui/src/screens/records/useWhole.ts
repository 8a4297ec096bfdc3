// A list of the station, read in pages in the background until it is all here or its limit is reached. Filter and order
// are part of what is asked for; while another one is being read, the rows of the last stay.

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

export const PAGE_ROWS = 1_000
export const ROWS_MAX = 5_000

type Page<R> = { rows: R[]; matching: number }

export type Asked<P> = {
  key: readonly string[]
  page: (skip: number, rows: number) => Promise<P>
  rowsMax?: number
}

export function useWhole<P extends Page<unknown>>({ key, page, rowsMax = ROWS_MAX }: Asked<P>) {
  const pageRows = Math.min(PAGE_ROWS, rowsMax)
  const list = useInfiniteQuery({
    queryKey: [...key],
    queryFn: ({ pageParam }) => page(pageParam, pageRows),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const here = pages.length * pageRows
      return last.rows.length > 0 && here < Math.min(last.matching, rowsMax) ? here : undefined
    },
    placeholderData: keepPreviousData,
  })
  const { hasNextPage, isFetching, isError, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const pages = list.data?.pages
  const rows = useMemo((): P['rows'] => pages?.flatMap((one) => one.rows) ?? [], [pages])
  return {
    rows,
    pages: pages?.length ?? 0,
    last: pages?.at(-1),
    /** Whether all that was asked for last is here. */
    settled: !list.isPlaceholderData && !hasNextPage,
    failed: list.isError && pages === undefined,
    again: () => void list.refetch(),
  }
}
