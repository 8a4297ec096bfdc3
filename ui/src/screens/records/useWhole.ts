// A list of the station, read in pages until it is all here or its limit is reached. The first page is shown at once, the
// rest when all of it is there: each time a long list grows costs a frame. Filter and order are part of what is asked
// for; while another one is being read, the rows of the last stay.

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
  const request = key.join(' ')
  const list = useInfiniteQuery({
    queryKey: [...key],
    queryFn: async ({ pageParam }) => ({ ...(await page(pageParam, pageRows)), request }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const here = pages.length * pageRows
      return last.rows.length > 0 && here < Math.min(last.matching, rowsMax) ? here : undefined
    },
    placeholderData: keepPreviousData,
  })
  const { hasNextPage, isFetching, isError, fetchNextPage } = list
  const pages = list.data?.pages
  // The pages are named although they are not read: a page that comes at once changes nothing else.
  useEffect(() => {
    if (pages && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [pages, hasNextPage, isFetching, isError, fetchNextPage])
  const shown = pages?.slice(0, hasNextPage ? 1 : undefined)
  const count = shown?.length ?? 0
  const rows = useMemo(
    (): P['rows'] => pages?.slice(0, count).flatMap((one) => one.rows) ?? [],
    [pages, count],
  )
  return {
    rows,
    pages: count,
    last: shown?.at(-1),
    /** What the rows are the answer to, which is not yet what was asked for last while that is being read. */
    request: shown?.at(-1)?.request ?? request,
    /** Whether all that was asked for last is here. */
    settled: !list.isPlaceholderData && !hasNextPage,
    failed: list.isError && pages === undefined,
    again: () => void list.refetch(),
  }
}
