type Listener = () => void;

const listeners = new Set<Listener>();

/** Tells whoever waits in this process that an answer has been stored: call it after the commit. */
export function notifyToolTask(): void {
  for (const listener of listeners) listener();
}

/** Hears of answers that this process stores; gives the function that ends it. Those of other nodes make no sound. */
export function onToolTask(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
