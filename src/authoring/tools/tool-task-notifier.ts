type Listener = () => void;

const listeners = new Set<Listener>();

/** Notifies the waiters of this process that an answer has been stored: call it after the commit. */
export function notifyToolTask(): void {
  for (const listener of listeners) listener();
}

/**
 * Registers a listener for answers that this process stores, and returns the function that removes it. Answers that
 * other nodes store cause no event.
 */
export function onToolTask(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
