import { useSyncExternalStore } from "react";

/** What lies over the page; each is loaded when it is first opened. */
export type Overlay = "palette" | "shortcuts" | "workspace";

let open: Overlay | null = null;
const listeners = new Set<() => void>();

/** Opens one of them; null closes. */
export function showOverlay(overlay: Overlay | null): void {
  open = overlay;
  for (const listener of listeners) listener();
}

/** What is open now. */
export function useOverlay(): Overlay | null {
  return useSyncExternalStore(subscribe, () => open);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
