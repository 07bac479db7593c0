import { expect, test, vi } from "vitest";
import { toPage } from "./paging.ts";

const SIZE = 2;
/** Rows as a list finds them: one more than the page takes, where there is one. */
const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ id: String(i) }));
const request = (page: number, after?: string) => ({ page, size: SIZE, after });

test.each([
  ["an empty list", request(0), 0, 0],
  ["a list of one page", request(0), 2, 2],
  ["the last page of several", request(3), 1, 7],
])("%s is not counted: the page tells how many rows there are", async (_name, asked, found, total) => {
  const count = vi.fn<() => Promise<number>>();
  expect(await toPage(asked, rows(found), count)).toMatchObject({
    totalElements: total,
    totalIsExact: true,
    last: true,
    nextCursor: null,
  });
  expect(count).not.toHaveBeenCalled();
});

test.each([
  ["a page before the last", request(1), 3, false],
  ["a page beyond the end", request(9), 0, true],
  ["the last page after a cursor", request(0, "41"), 1, true],
])("%s does not tell how many rows there are, so they are counted", async (_name, asked, found, last) => {
  const page = await toPage(asked, rows(found), async () => 7);
  expect(page).toMatchObject({ totalElements: 7, totalIsExact: true, totalPages: 4, last });
});

test("above the most that is counted, the total is no longer exact", async () => {
  const page = await toPage(request(0), rows(3), async () => 11, 10);
  expect(page).toMatchObject({ totalElements: 10, totalIsExact: false });
});
