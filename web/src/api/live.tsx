import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { takeFirstAskMs } from "./early-replies.ts";
import { inWorkspace } from "./http.ts";
import { liveKey, patchCache } from "./live-patches.ts";
import type { LiveShapes } from "./live-shapes.ts";
import { type LiveListener, type LiveState, LiveStream } from "./live-stream.ts";
import { keyOf } from "./queries.ts";
import { sessionQuery } from "./session.ts";
import { useWorkspace } from "./workspace.tsx";

type Hear = (type: string, data: Record<string, unknown>) => void;

interface Live {
  state: LiveState;
  hear: (listener: Hear) => () => void;
  watch: (rowId: string) => () => void;
  enterRoom: () => () => void;
}

const LiveContext = createContext<Live | null>(null);

/** Opens the tab's only event stream for the workspace and updates the cache from it. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { id } = useWorkspace();
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>("CONNECTING");
  const hub = useMemo(
    () => ({ listeners: new Set<Hear>(), watched: new Map<string, number>(), rooms: new Set<symbol>() }),
    [],
  );
  const stream = useRef<LiveStream | null>(null);
  useEffect(() => {
    const listener: LiveListener = {
      onState: setState,
      onEvent(event) {
        if (event.type === "bye" && event.data.reason === "SIGNED_OUT") void client.invalidateQueries(sessionQuery);
        patchCache({ client, workspaceId: id }, event);
        // Changes of a watched call between its read and the stream's opening are not in the stream.
        if (event.type === "hello") refreshCalls(client, id, [...hub.watched.keys()]);
        for (const hear of hub.listeners) hear(event.type, event.data);
      },
    };
    const live = new LiveStream(inWorkspace(id, "/events"), listener, takeFirstAskMs());
    stream.current = live;
    live.watch([...hub.watched.keys()]);
    live.setRoom(hub.rooms.size > 0);
    return () => live.close();
  }, [id, client, hub]);
  // They stay the same while the state changes: a screen that subscribed anew would open the stream again, for ever.
  const subscriptions = useMemo<Omit<Live, "state">>(
    () => ({
      hear(listener) {
        hub.listeners.add(listener);
        return () => void hub.listeners.delete(listener);
      },
      enterRoom() {
        const room = Symbol("room");
        hub.rooms.add(room);
        stream.current?.setRoom(true);
        return () => {
          hub.rooms.delete(room);
          stream.current?.setRoom(hub.rooms.size > 0);
        };
      },
      watch: (rowId) => watchRow(hub.watched, rowId, () => stream.current?.watch([...hub.watched.keys()])),
    }),
    [hub],
  );
  const value = useMemo<Live>(() => ({ state, ...subscriptions }), [state, subscriptions]);
  return <LiveContext value={value}>{children}</LiveContext>;
}

function refreshCalls(client: QueryClient, workspaceId: string, rowIds: string[]): void {
  for (const rowId of rowIds) void client.invalidateQueries({ queryKey: keyOf(workspaceId, `/call-rows/${rowId}`) });
}

function watchRow(watched: Map<string, number>, rowId: string, notify: () => void): () => void {
  watched.set(rowId, (watched.get(rowId) ?? 0) + 1);
  notify();
  return () => {
    const left = (watched.get(rowId) ?? 1) - 1;
    if (left > 0) watched.set(rowId, left);
    else watched.delete(rowId);
    notify();
  };
}

function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error("Live events belong to a workspace.");
  return live;
}

/** State of the stream. */
export function useLiveState(): LiveState {
  return useLive().state;
}

/** The newest frame of the type: `counters` or `calls.live`; undefined until one arrived. */
export function useLiveFrame<Type extends "counters" | "calls.live">(type: Type): LiveShapes[Type] | undefined {
  const { id } = useWorkspace();
  return useQuery<LiveShapes[Type]>({
    queryKey: liveKey(id, type),
    enabled: false,
    queryFn: () => Promise.reject(new Error()),
  }).data;
}

/** Subscribes to a call's transcript while the screen is open; null: none. */
export function useWatchedCall(rowId: string | null): void {
  const { watch } = useLive();
  useEffect(() => (rowId === null ? undefined : watch(rowId)), [watch, rowId]);
}

/** Opens the control room while the screen is open, and passes its frames on. */
export function useRoomFrames(hearFrame: (type: "room.tiles" | "room.levels", data: unknown) => void): void {
  const { hear, enterRoom } = useLive();
  useEffect(() => {
    const stop = hear((type, data) => {
      if (type === "room.tiles" || type === "room.levels") hearFrame(type, data);
    });
    const leave = enterRoom();
    return () => {
      stop();
      leave();
    };
  }, [hear, enterRoom, hearFrame]);
}
