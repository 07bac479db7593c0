import { type Mutation, MutationCache } from "@tanstack/react-query";
import { isReported } from "./fault-notes.ts";
import { showFault } from "./undo.tsx";

/** Cache of all writes. A write that fails after its screen is gone shows a toast. */
export function watchWrites(): MutationCache {
  const observers = new WeakMap<Mutation, Set<{ hasListeners: () => boolean }>>();
  const hasScreen = (write: Mutation) => [...(observers.get(write) ?? [])].some((one) => one.hasListeners());
  const cache = new MutationCache({
    onError(fault, _input, _context, write) {
      if (hasScreen(write as Mutation)) return;
      // Code that awaits the write gets the error first and may show it.
      setTimeout(() => !isReported(fault) && showFault(fault));
    },
  });
  cache.subscribe((event) => {
    if (event.type !== "observerAdded" && event.type !== "observerRemoved") return;
    const known = observers.get(event.mutation) ?? new Set();
    observers.set(event.mutation, known);
    if (event.type === "observerAdded") known.add(event.observer);
    else known.delete(event.observer);
  });
  return cache;
}
