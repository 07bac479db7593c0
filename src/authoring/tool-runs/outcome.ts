import type { TransferOrder } from "#src/engine/conversation/tool-port.ts";

/** Result of a tool, before it is worded for the model. */
export type Outcome =
  | { kind: "VALUE"; value: unknown; variables: Record<string, unknown> }
  | { kind: "FAILED"; code: string; message: string }
  | { kind: "TRANSFER"; order: TransferOrder; wantsSummary: boolean };
