import type { DialRequest } from "#src/telephony/carriers/carrier.ts";

/** Speed of the sandbox's clock: 1 is real time, 10 is ten times faster, "instant" does not wait. */
export type SandboxSpeed = number | "instant";

/** A dial with the settings by which the sandbox simulates the person. Other carriers get them too, and ignore them. */
export interface SandboxDial extends DialRequest {
  /** 1 for the first time this row is dialled; the simulated outcome depends on it. */
  attemptNumber: number;
  sandboxSpeed: SandboxSpeed;
}
