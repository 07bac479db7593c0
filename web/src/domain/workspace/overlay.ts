import { useSyncExternalStore } from "react";

/** Overlay above the page; its code is loaded when it is first opened. */
export type Overlay = "palette" | "shortcuts" | "workspace";

let open: Overlay | null = null;
const listeners = new Set<() => void>();

/** Opens an overlay; null closes it. */
export function showOverlay(overlay: Overlay | null): void {
  open = overlay;
  for (const listener of listeners) listener();
}

/** The open overlay. */
export function useOverlay(): Overlay | null {
  return useSyncExternalStore(subscribe, () => open);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
