import { Table } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { ScrollBox } from "./scroll-box.tsx";
import { type BodyProps, TableRow } from "./table-body.tsx";

const ROW_HEIGHT_PX = 32;

/** A table with its own height that draws only the visible rows. */
export function VirtualBody<T extends { id: string }>({ label, head, rows, ...rest }: BodyProps<T>) {
  const { active, selected, href, ...shared } = rest;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
  });
  useEffect(() => {
    if (active >= 0) virtual.scrollToIndex(active);
  }, [active, virtual]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <ScrollBox box={box} label={label} isRegion style={{ height: "70vh" }}>
      <Table className="data-table" stickyHeader aria-label={label} aria-rowcount={rows.length}>
        {head}
        <Table.Tbody>
          <tr style={{ height: before }} aria-hidden="true" />
          {items.map(({ index }) => {
            const row = rows[index];
            return (
              row && (
                <TableRow
                  key={row.id}
                  row={row}
                  isActive={index === active}
                  isSelected={selected.has(row.id)}
                  link={href?.(row)}
                  {...shared}
                />
              )
            );
          })}
          <tr style={{ height: after }} aria-hidden="true" />
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}
