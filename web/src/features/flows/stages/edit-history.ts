import { isSame } from "#web/ui/form/merge-fields.ts";

/** States before and after the present one, newest last in both. */
export interface EditHistory<T> {
  past: T[];
  future: T[];
  /** The state that this history leads to; another one means that somebody changed it otherwise. */
  present: T;
  /** Kind and place of the last change: changes with the same tag in a row are one step. */
  tag: string | null;
}

const MOST_STEPS = 100;

/** Returns a history without steps. */
export function startHistory<T>(present: T): EditHistory<T> {
  return { past: [], future: [], present, tag: null };
}

/** Returns the history that leads to a state: an empty one when the state was changed otherwise. */
export function followHistory<T>(history: EditHistory<T>, present: T): EditHistory<T> {
  return isSame(history.present, present) ? history : startHistory(present);
}

/** Adds a step. With the tag of the last step, it becomes part of it; null never does. */
export function recordEdit<T>(history: EditHistory<T>, next: T, tag: string | null = null): EditHistory<T> {
  if (isSame(history.present, next)) return history;
  const isPart = tag !== null && tag === history.tag && history.past.length > 0;
  const past = isPart ? history.past : [...history.past, history.present].slice(-MOST_STEPS);
  return { past, future: [], present: next, tag };
}

/** Goes one step back; the same history when there is none. */
export function undoEdit<T>({ past, future, present, ...rest }: EditHistory<T>): EditHistory<T> {
  const before = past.at(-1);
  if (before === undefined) return { past, future, present, ...rest };
  return { past: past.slice(0, -1), future: [...future, present], present: before, tag: null };
}

/** Takes one step again that was undone; the same history when there is none. */
export function redoEdit<T>({ past, future, present, ...rest }: EditHistory<T>): EditHistory<T> {
  const next = future.at(-1);
  if (next === undefined) return { past, future, present, ...rest };
  return { past: [...past, present], future: future.slice(0, -1), present: next, tag: null };
}
