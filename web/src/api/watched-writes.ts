import { type Mutation, MutationCache } from "@tanstack/react-query";
import { isReported } from "./fault-notes.ts";
import { showFault } from "./undo.tsx";

/** Every write of the dashboard. One that fails when its screen is gone is told of by a notification. */
export function watchWrites(): MutationCache {
  const observers = new WeakMap<Mutation, Set<{ hasListeners: () => boolean }>>();
  const hasScreen = (write: Mutation) => [...(observers.get(write) ?? [])].some((one) => one.hasListeners());
  const cache = new MutationCache({
    onError(fault, _input, _context, write) {
      if (hasScreen(write as Mutation)) return;
      // Who waits for the write's promise is told of the failure first, and may show it.
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
