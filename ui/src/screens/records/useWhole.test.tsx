import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { pass, show } from '../../../tests/inWindow'
import { newQueryClient } from '../../App'
import { FilterLine } from '../../components/table/FilterLine'
import { PAGE_ROWS, ROWS_MAX, useWhole } from './useWhole'

function read(matching: number, key = ['a list']) {
  const page = vi.fn(async (skip: number, rows: number) => ({
    rows: Array.from({ length: Math.max(0, Math.min(rows, matching - skip)) }, (_, n) => skip + n),
    matching,
  }))
  const client = newQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return { page, ...renderHook(() => useWhole({ key, page }), { wrapper }) }
}

test.each([
  ['nothing', 0, 1],
  ['one page and no more', PAGE_ROWS, 1],
  ['to its end', 2 * PAGE_ROWS + 1, 3],
  ['to its limit', 17_000, ROWS_MAX / PAGE_ROWS],
])('a list is read page after page: %s', async (_, matching, pages) => {
  const { page, result } = read(matching)
  await waitFor(() => expect(result.current.settled && result.current.last).toBeTruthy())
  expect(page).toHaveBeenCalledTimes(pages)
  expect(result.current.rows).toHaveLength(Math.min(matching, ROWS_MAX))
})

test('a station that says there is more, and then gives nothing, is not asked for ever', async () => {
  const { page, result } = read(0)
  page.mockResolvedValue({ rows: [], matching: 5_000 })
  await pass(10)
  expect(result.current.settled).toBe(true)
  result.current.again()
  await pass(1_000)
  expect(page).toHaveBeenCalledTimes(2)
})

test('over its limit a list says that it is the first part, and how to see others', () => {
  show(<FilterLine figures={{ here: 5_000, matching: 17_000, total: 17_000, settled: true }} />)
  expect(screen.getByText('First 5,000 of 17,000; filter to see others')).toBeTruthy()
})
