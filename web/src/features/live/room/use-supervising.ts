import { useCallback, useEffect, useRef, useState } from "react";
import { useStopCall } from "#web/domain/call/stop-button.tsx";
import { type Listening, useListening } from "#web/features/live/use-listening.ts";
import type { Kind } from "#web/features/live/words-form.tsx";
import { t } from "#web/i18n/t.ts";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { nameOf } from "./room-order.ts";
import type { RoomStore } from "./room-store.ts";

/** The call in the dock, and what is done with it. */
export interface Supervising {
  docked: { rowId: string; name: string } | null;
  listening: Listening;
  kind: Kind;
  setKind: (kind: Kind) => void;
  takeField: (field: HTMLInputElement | null) => void;
  close: () => void;
}

/** One key each to listen to the selected call, whisper, take it over, say words and end it. */
export function useSupervising(store: RoomStore, selected: string | null, isAllowed: boolean): Supervising {
  const listening = useListening();
  const [docked, setDocked] = useState<Supervising["docked"]>(null);
  const [kind, setKind] = useState<Kind>("WHISPER");
  /** Grows with each wish to type, so that the field gets the focus once it is there. */
  const [wishes, setWishes] = useState(0);
  const words = useRef<HTMLInputElement | null>(null);
  const takeField = useCallback((field: HTMLInputElement | null) => {
    words.current = field;
  }, []);
  const { stop: end } = useStopCall("end");
  useEffect(() => {
    if (wishes > 0) words.current?.focus();
  }, [wishes]);
  const target = selected ?? docked?.rowId ?? null;
  const dock = (rowId: string) => {
    const call = store.get(rowId);
    if (!call || docked?.rowId === rowId) return;
    listening.stop();
    setDocked({ rowId, name: nameOf(call) });
  };
  const hear = (rowId: string, mode: "LISTEN" | "TAKE_OVER") => {
    const isHeard = docked?.rowId === rowId && listening.state !== "OFF";
    dock(rowId);
    if (store.get(rowId)?.tile?.isText) return;
    if (!isHeard) void listening.listen(rowId, mode);
    else if (mode === "LISTEN") listening.stop();
    else void listening.change(listening.state === "TAKE_OVER" ? "LISTEN" : "TAKE_OVER");
  };
  const type = (rowId: string, next: Kind) => {
    dock(rowId);
    setKind(next);
    setWishes((before) => before + 1);
  };
  const onCall = (run: (rowId: string) => void) => () => {
    if (target !== null && store.get(target)) run(target);
  };
  const keys = [
    { keys: "l", label: t`Listen in, or leave`, run: onCall((rowId) => hear(rowId, "LISTEN")) },
    { keys: "t", label: t`Take over, or hand back`, run: onCall((rowId) => hear(rowId, "TAKE_OVER")) },
    { keys: "w", label: t`Whisper to the agent`, run: onCall((rowId) => type(rowId, "WHISPER")) },
    { keys: "s", label: t`Say typed words`, run: onCall((rowId) => type(rowId, "SAY")) },
    { keys: "e", label: t`End the call`, run: onCall(end) },
  ];
  useShortcutKeys(isAllowed ? keys.map((key) => ({ ...key, group: t`Live calls` })) : []);
  const close = () => {
    listening.stop();
    setDocked(null);
  };
  return { docked, listening, kind, setKind, takeField, close };
}
