import { Paper, Text, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { RoomCall } from "#web/api/live-shapes.ts";
import { useRoomFrames } from "#web/api/live.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { RoomDock } from "./room-dock.tsx";
import { RoomGrid } from "./room-grid.tsx";
import { announceAlerts, orderRoom } from "./room-order.ts";
import { RoomStore } from "./room-store.ts";
import { useSupervising } from "./use-supervising.ts";

/** The control room: a tile for each live call, and below them the call that is supervised. */
export function Room(props: {
  filters: FilterValues;
  hrefOf: (rowId: string) => string;
  /** Shown in place of the tiles when there are none. */
  empty: (isFiltered: boolean) => ReactNode;
}) {
  const { filters } = props;
  const store = useRoomStore();
  const list = useSyncExternalStore(store.followList, () => store.list);
  const ids = useOrder(list, filters);
  const [selected, setSelected] = useState<string | null>(null);
  const { docked, ...dock } = useSupervising(store, selected, useMay("CALL_JOBS_WRITE"));
  return (
    <>
      <Announcer list={list} />
      {list === undefined && <LoadingBars />}
      {list !== undefined && ids.length === 0 && <Paper withBorder>{props.empty(list.length > 0)}</Paper>}
      <RoomGrid
        store={store}
        ids={ids}
        selected={selected}
        docked={docked?.rowId ?? null}
        select={setSelected}
        hrefOf={props.hrefOf}
      />
      {list !== undefined && store.total > list.length && (
        <Text fz="xs" c="dimmed" mt="xs">
          {t`The newest ${formatNumber(list.length)} of ${formatNumber(store.total)} live calls.`}
        </Text>
      )}
      {docked && <RoomDock key={docked.rowId} store={store} {...docked} {...dock} />}
    </>
  );
}

function useRoomStore(): RoomStore {
  const store = useMemo(() => new RoomStore(), []);
  const take = useCallback<Parameters<typeof useRoomFrames>[0]>((type, data) => store.take(type, data), [store]);
  useRoomFrames(take);
  return store;
}

/** The order of the tiles; the same array while it does not change, so that no tile is looked at. */
function useOrder(list: RoomCall[] | undefined, filters: FilterValues): string[] {
  const order = orderRoom(list ?? [], filters).join();
  return useMemo(() => (order === "" ? [] : order.split(",")), [order]);
}

/** Tells screen readers of new alerts, without interrupting them. */
function Announcer({ list }: { list: RoomCall[] | undefined }) {
  const [text, setText] = useState("");
  const before = useRef<RoomCall[] | undefined>(undefined);
  useEffect(() => {
    const news = list && before.current ? announceAlerts(before.current, list) : "";
    before.current = list;
    if (news !== "") setText(news);
  }, [list]);
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
}
