/** Line of a stored transcript. */
export interface TranscriptLine {
  role: string;
  content: string;
  latency?: { totalMs?: number | null } | null;
}

/** Outputs of a call as they are stored, by name. */
export type FilledOutputs = Record<string, { valid?: unknown } | null>;

/** Facts of a conversation that results are computed from. */
export interface Conversation {
  /** True when the person said something. */
  has_spoken: boolean;
  /** Contents of the transcript's lines about tools. */
  tool_lines: string[];
  /** The person's wait for each answer, where the call was audio. */
  waited_ms: number[];
  /** True when outputs were filled, be it with nothing. */
  has_outputs: boolean;
  /** True when no output is invalid. */
  outputs_fit: boolean;
}

/** Returns the facts of a conversation from its lines, and its outputs by name. */
export function conversationOf(lines: TranscriptLine[], outputs: FilledOutputs): Conversation {
  const filled = Object.values(outputs);
  return {
    has_spoken: lines.some(({ role }) => role === "USER"),
    tool_lines: lines.filter(({ role }) => role === "TOOL").map(({ content }) => content),
    waited_ms: lines.flatMap(({ latency }) => latency?.totalMs ?? []),
    has_outputs: filled.length > 0,
    outputs_fit: filled.every((output) => (output?.valid ?? true) === true),
  };
}
