import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { t } from "#web/i18n/t.ts";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { moveIn } from "./room-order.ts";
import type { RoomStore } from "./room-store.ts";
import { RoomTile } from "./room-tile.tsx";

/** Narrowest tile, its height and the gap between two, as live.css has them. */
const TILE_PX = 250;
const HEIGHT_PX = 172;
const GAP_PX = 10;
const ARROWS = [
  ["ArrowRight", t`Next call`],
  ["ArrowLeft", t`Call before`],
  ["ArrowDown", t`Call below`],
  ["ArrowUp", t`Call above`],
] as const;

/** Grid of the tiles. Only rows near the screen are drawn, so that hundreds of calls cost what a screenful does. */
export const RoomGrid = memo(function RoomGrid(props: {
  store: RoomStore;
  ids: string[];
  selected: string | null;
  docked: string | null;
  select: (rowId: string) => void;
  hrefOf: (rowId: string) => string;
}) {
  const { store, ids, selected, select } = props;
  const list = useRef<HTMLUListElement>(null);
  const { ref, width } = useElementSize<HTMLUListElement>();
  const box = useMergedRef(list, ref);
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (TILE_PX + GAP_PX)));
  const virtual = useRows(list, Math.ceil(ids.length / columns));
  const index = selected === null ? -1 : ids.indexOf(selected);
  const focus = useFocus(list);
  const move = (key: (typeof ARROWS)[number][0]) => {
    const next = moveIn(index, key, { count: ids.length, columns });
    const rowId = ids[next];
    if (rowId === undefined) return;
    virtual.scrollToIndex(Math.floor(next / columns));
    select(rowId);
    focus(rowId);
  };
  useShortcutKeys(ARROWS.map(([keys, label]) => ({ keys, label, group: t`Live calls`, run: () => move(keys) })));
  const rows = virtual.getVirtualItems();
  const tileWidth = (width - GAP_PX * (columns - 1)) / columns;
  const drawn = rows.flatMap(({ index: row, start }) =>
    ids.slice(row * columns, (row + 1) * columns).map((rowId, column) => ({
      rowId,
      at: row * columns + column,
      x: column * (tileWidth + GAP_PX),
      y: start - virtual.options.scrollMargin,
    })),
  );
  // The first tile can be reached by Tab while none is selected, or the selected one is not drawn.
  const inTabOrder = drawn.some(({ at }) => at === index) ? index : drawn[0]?.at;
  return (
    <ul ref={box} className="room" aria-label={t`Live calls`} style={{ height: virtual.getTotalSize() }}>
      {width > 0 &&
        drawn.map(({ rowId, at, x, y }) => (
          <RoomTile
            key={rowId}
            store={store}
            rowId={rowId}
            href={props.hrefOf(rowId)}
            place={at + 1}
            count={ids.length}
            x={x}
            y={y}
            width={tileWidth}
            isSelected={at === inTabOrder}
            isDocked={rowId === props.docked}
            select={select}
          />
        ))}
    </ul>
  );
});

function useRows(list: RefObject<HTMLUListElement | null>, count: number) {
  const [top, setTop] = useState(0);
  useEffect(() => setTop(list.current?.offsetTop ?? 0), [list]);
  return useWindowVirtualizer({
    count,
    estimateSize: () => HEIGHT_PX,
    gap: GAP_PX,
    overscan: 1,
    scrollMargin: top,
    // A jump draws all tiles anew: drawing them is one task, and laying them out the next.
    useFlushSync: false,
  });
}

/** Returns a function that focuses a call's tile, also one that is drawn only after the scrolling. */
function useFocus(list: RefObject<HTMLUListElement | null>): (rowId: string) => void {
  const wanted = useRef<string | null>(null);
  const take = useCallback(() => {
    if (wanted.current === null) return;
    const tile = list.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
    if (!tile) return;
    wanted.current = null;
    tile.focus({ preventScroll: true });
  }, [list]);
  useEffect(take);
  return useCallback(
    (rowId) => {
      wanted.current = rowId;
      take();
    },
    [take],
  );
}
