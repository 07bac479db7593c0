import { Checkbox, Group, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { Icon } from "#web/ui/icon.tsx";
import { type Column, type Sort, widthClass } from "./columns.ts";

/** The row of headers; with `onSort`, those with a value sort when clicked. */
export function TableHead<T>({
  columns,
  sort = null,
  onSort,
  selection,
}: {
  columns: Column<T>[];
  sort?: Sort | null;
  onSort?: (sort: Sort | null) => void;
  selection?: { all: string[]; chosen: number; set: (ids: ReadonlySet<string>) => void };
}) {
  return (
    <Table.Thead>
      <Table.Tr>
        {selection && (
          <Table.Th w={40}>
            <Checkbox
              size="xs"
              aria-label="Select all rows"
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
            aria-sort={sort?.id !== column.id ? undefined : sort.isDescending ? "descending" : "ascending"}
          >
            {column.value && onSort ? (
              <UnstyledButton className="sort" onClick={() => onSort(nextSort(column.id, sort))}>
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
  return text === "" ? <VisuallyHidden>Actions</VisuallyHidden> : text;
}

function nextSort(id: string, sort: Sort | null): Sort | null {
  if (sort?.id !== id) return { id, isDescending: false };
  return sort.isDescending ? null : { id, isDescending: true };
}

function iconOf(id: string, sort: Sort | null): "updown" | "up" | "down" {
  if (sort?.id !== id) return "updown";
  return sort.isDescending ? "down" : "up";
}
