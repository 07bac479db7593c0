import { isCertain } from "#src/audio/amd/amd-verdict.ts";
import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { AmdWatch } from "#src/audio/line/line.ts";

/** Thrown when the other end of a conversation turns out to be a machine. */
export class MachineAnswered extends Error {
  readonly answeredBy: AnsweredBy;
  constructor(answeredBy: AnsweredBy) {
    super("A machine answered.");
    this.name = "MachineAnswered";
    this.answeredBy = answeredBy;
  }
}

/** Milliseconds that a line may take to return what was said and heard until the verdict. */
const GRACE_MS = 250;

/** Watches for a certain AMD verdict of a machine other than the one that the session assumes. */
export interface MachineWatch {
  /** Rejects with `MachineAnswered`, 250 ms after the signal has aborted. */
  readonly answered: Promise<never>;
  /** Aborts with `MachineAnswered`. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** Starts watching; `known` is the verdict that the session assumes. */
export function watchMachines(answers: AmdWatch, known: AnsweredBy): MachineWatch {
  const { promise, reject } = Promise.withResolvers<never>();
  // Prevents an unhandled rejection when nothing awaits it.
  promise.catch(() => undefined);
  const [found, stopped] = [new AbortController(), new AbortController()];
  const look = (): void => {
    const { verdict } = answers;
    if (!isCertain(verdict) || verdict.answeredBy === known) return;
    if (verdict.answeredBy === "HUMAN" || verdict.answeredBy === "UNCERTAIN" || verdict.answeredBy === "SILENCE")
      return;
    const answered = new MachineAnswered(verdict.answeredBy);
    setTimeout(() => reject(answered), GRACE_MS);
    found.abort(answered);
    stopped.abort();
  };
  answers.onChange(look, stopped.signal);
  look();
  return { answered: promise, signal: found.signal, stop: () => stopped.abort() };
}
