import { Checkbox, Group, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { type Column, type Sort, widthClass } from "./columns.ts";

/** The row of headers; with `onSort`, those that can be sorted by do so when clicked. */
export function TableHead<T>({
  columns,
  sort = null,
  onSort,
  canSort,
  selection,
}: {
  columns: Column<T>[];
  sort?: Sort | null;
  onSort?: (sort: Sort | null) => void;
  /** True for a column that can be sorted by. */
  canSort: (column: Column<T>) => boolean;
  selection?: { all: string[]; chosen: number; set: (ids: ReadonlySet<string>) => void };
}) {
  return (
    <Table.Thead>
      <Table.Tr>
        {selection && (
          <Table.Th w={40}>
            <Checkbox
              size="xs"
              aria-label={t`Select all rows`}
              checked={selection.chosen > 0 && selection.chosen === selection.all.length}
              indeterminate={selection.chosen > 0 && selection.chosen < selection.all.length}
              onChange={(event) => selection.set(new Set(event.currentTarget.checked ? selection.all : []))}
            />
          </Table.Th>
        )}
        {columns.map((column) => (
          <Table.Th
            key={column.id}
            ta={column.align ?? "left"}
            w={column.width}
            className={widthClass(column)}
            title={column.title}
            aria-sort={sort?.id !== column.id ? undefined : sort.isDescending ? "descending" : "ascending"}
          >
            {onSort && canSort(column) ? (
              <UnstyledButton className="sort" onClick={() => onSort(nextSort(column, sort))}>
                <Group gap={4} wrap="nowrap" component="span">
                  {column.header}
                  <Icon name={iconOf(column.id, sort)} size={12} />
                </Group>
              </UnstyledButton>
            ) : (
              <PlainHeader text={column.header} />
            )}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

/** Header of a column without sorting; the name of a column of buttons is only for screen readers. */
function PlainHeader({ text }: { text: string }) {
  return text === "" ? <VisuallyHidden>{t`Actions`}</VisuallyHidden> : text;
}

/** The longest, dearest and newest are looked for first; names begin with A. The third click takes the order away. */
function nextSort<T>({ id, align, sortKey }: Column<T>, sort: Sort | null): Sort | null {
  const first = sortKey !== undefined && (align === "right" || sortKey.endsWith("At"));
  if (sort?.id !== id) return { id, isDescending: first };
  return sort.isDescending === first ? { id, isDescending: !first } : null;
}

function iconOf(id: string, sort: Sort | null): "updown" | "up" | "down" {
  if (sort?.id !== id) return "updown";
  return sort.isDescending ? "down" : "up";
}
