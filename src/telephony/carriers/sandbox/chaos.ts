import { chanceOf } from "./seeded-chance.ts";

/** Faults of the carrier, each as a probability from 0 to 1; the same seed gives the same faults. */
export interface ChaosOptions {
  seed: string;
  /** The dial is accepted and rings, and is never answered. */
  acceptThenTimeout?: number;
  /** The dial is accepted and rings, and is answered 500. */
  errorAfterAccept?: number;
  /** An event comes twice. */
  duplicate?: number;
  /** An event comes late. */
  late?: number;
  /** An event comes after the one that follows it. */
  reorder?: number;
  /** An event never comes. */
  lose?: number;
}

export type ChaosKind = Exclude<keyof ChaosOptions, "seed">;

/** True when `kind` goes wrong for this attempt (and this event, for faults of events). */
export function strikes(options: ChaosOptions | undefined, kind: ChaosKind, attemptId: string, event = ""): boolean {
  const probability = options?.[kind] ?? 0;
  return probability > 0 && chanceOf(`${options?.seed} ${kind} ${attemptId} ${event}`) < probability;
}
