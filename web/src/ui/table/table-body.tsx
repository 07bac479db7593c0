import { Checkbox, Table } from "@mantine/core";
import { memo, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { type Column, widthClass } from "./columns.ts";
import { ScrollBox } from "./scroll-box.tsx";

/** Props of both table bodies: the plain one and the virtual one, which draws only the visible rows. */
export interface BodyProps<T> {
  label: string;
  head: ReactNode;
  rows: T[];
  columns: Column<T>[];
  active: number;
  /** Returns true once after a key chose the active row. */
  takeMove: () => boolean;
  selected: ReadonlySet<string>;
  toggle?: (id: string, isRange?: boolean) => void;
  href?: (row: T) => string;
  open?: (row: T) => void;
}

/** A table that draws all its rows. */
export function TableBody<T extends { id: string }>({ label, head, rows, ...rest }: BodyProps<T>) {
  const { active, selected, href, ...shared } = rest;
  return (
    <ScrollBox label={label} isRegion>
      <Table className="data-table" aria-label={label}>
        {head}
        <Table.Tbody>
          {rows.map((row, index) => (
            <TableRow
              key={row.id}
              row={row}
              isActive={index === active}
              isSelected={selected.has(row.id)}
              link={href?.(row)}
              {...shared}
            />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

interface RowProps<T> extends Pick<BodyProps<T>, "columns" | "toggle" | "open" | "takeMove"> {
  row: T;
  isActive: boolean;
  isSelected: boolean;
  /** Address of the row. */
  link: string | undefined;
}

/** A row; a click anywhere except on a control opens it. It is redrawn only when its own data changed. */
export const TableRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<T extends { id: string }>(props: RowProps<T>) {
  const { row, isActive, takeMove, isSelected, link, columns, toggle, open } = props;
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (!isActive || !takeMove()) return;
    line.current?.focus({ preventScroll: true });
    line.current?.scrollIntoView({ block: "nearest" });
  }, [isActive, takeMove]);
  const openByClick = (event: MouseEvent) => {
    if (!(event.target as Element).closest("a,button,input,label")) open?.(row);
  };
  return (
    <Table.Tr
      ref={line}
      tabIndex={-1}
      onClick={open ? openByClick : undefined}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      className={open ? "row-link" : ""}
    >
      {toggle && (
        <Table.Td w={40}>
          <Checkbox
            size="xs"
            aria-label={t`Select row`}
            checked={isSelected}
            onChange={(event) => toggle(row.id, (event.nativeEvent as PointerEvent).shiftKey)}
          />
        </Table.Td>
      )}
      {columns.map((column, index) => (
        <Table.Td key={column.id} ta={column.align ?? "left"} className={widthClass(column)}>
          {index === 0 && link !== undefined ? (
            <Link href={link} className="row-anchor">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
