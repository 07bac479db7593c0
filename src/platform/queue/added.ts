const listeners = new Set<() => void>();

/** Calls back whenever a task is added in this process, before its transaction has committed. Returns how to stop. */
export function onTaskAdded(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Tells the listeners that a task was added. */
export function noteTaskAdded(): void {
  for (const listener of listeners) listener();
}
