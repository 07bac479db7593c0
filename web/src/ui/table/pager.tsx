import { ActionIcon, Group, Text } from "@mantine/core";
import { useEffect } from "react";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";

/** Totals of a list, as the service tells them. */
export interface Totals {
  totalElements: number;
  /** False: the list is longer, and its rows are not counted. */
  totalIsExact?: boolean;
}

/** Position in a paged list. */
export interface PagerState {
  page: number;
  size: number;
  /** Undefined until the list is read. */
  totals: Totals | undefined;
  /** `isReplacing`: Back does not return to the page before. */
  setPage: (page: number, isReplacing?: boolean) => void;
}

function lastPageOf(total: number, size: number): number {
  return Math.max(0, Math.ceil(total / size) - 1);
}

/** Goes to the last page of a list when the shown one is gone, such as after its only row was deleted. */
export function useLastPage(pager: PagerState | undefined, isEmpty: boolean): void {
  const { page = 0, size = 1, totals, setPage } = pager ?? {};
  const last = totals === undefined ? page : lastPageOf(totals.totalElements, size);
  useEffect(() => {
    if (isEmpty && page > last) setPage?.(last, true);
  }, [isEmpty, page, last, setPage]);
}

/** Shows the range of rows on the page and the buttons to the other pages. */
export function Pager({ page, size, totals, setPage }: PagerState) {
  const { totalElements: total, totalIsExact: isExact = true } = totals ?? { totalElements: 0 };
  const first = page * size;
  const last = Math.min(first + size, total);
  const lastPage = lastPageOf(total, size);
  return (
    <Group justify="space-between" px="md" py={8} className="pager">
      <Text fz="sm" c="dimmed" aria-live="polite">
        {total === 0
          ? t`No rows`
          : t`${formatNumber(first + 1)}–${formatNumber(last)} of ${formatNumber(total)}${isExact ? "" : "+"}`}
      </Text>
      <Group gap={4} hidden={lastPage === 0 && page === 0}>
        <ActionIcon variant="default" aria-label={t`First page`} disabled={page === 0} onClick={() => setPage(0)}>
          <Icon name="first" />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t`Page before`}
          disabled={page === 0}
          onClick={() => setPage(page - 1)}
        >
          <Icon name="left" />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t`Next page`}
          disabled={last >= total}
          onClick={() => setPage(page + 1)}
        >
          <Icon name="right" />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t`Last page`}
          disabled={last >= total || !isExact}
          onClick={() => setPage(lastPage)}
        >
          <Icon name="last" />
        </ActionIcon>
      </Group>
    </Group>
  );
}
