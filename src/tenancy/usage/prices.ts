/** Kinds of usage that are billed, each in a unit of its own. */
export const USAGE_KINDS = [
  "TELEPHONY_SECOND",
  "MODEL_INPUT_TOKEN",
  "MODEL_CACHED_INPUT_TOKEN",
  "MODEL_OUTPUT_TOKEN",
  "SPEECH_SECOND",
  "TRANSCRIPTION_SECOND",
  "SMS_SEGMENT",
  "WHATSAPP_MESSAGE",
] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** Currency of a workspace whose operator chose none. */
export const DEFAULT_CURRENCY = "USD";

/** Unit prices of a workspace whose operator set none: near the list prices of carriers and model servers. */
export const DEFAULT_PRICES: Record<UsageKind, string> = {
  TELEPHONY_SECOND: "0.00025",
  MODEL_INPUT_TOKEN: "0.0000005",
  MODEL_CACHED_INPUT_TOKEN: "0.000000125",
  MODEL_OUTPUT_TOKEN: "0.000002",
  SPEECH_SECOND: "0.0003",
  TRANSCRIPTION_SECOND: "0.0001",
  SMS_SEGMENT: "0.008",
  WHATSAPP_MESSAGE: "0.015",
};

/** The default prices as rows of SQL: kind, unit_price. */
export const DEFAULT_PRICES_SQL = `(values ${USAGE_KINDS.map((kind) => `('${kind}', ${DEFAULT_PRICES[kind]})`).join(", ")}) as d(kind, unit_price)`;

/** Tokens of a session as its models counted them; the cached ones are a part of the input. */
export interface UsedTokens {
  inputTokens: number;
  cachedTokens?: number;
  outputTokens: number;
}

/** Returns tokens as billed quantities. */
export function tokenQuantities({ inputTokens, cachedTokens = 0, outputTokens }: UsedTokens) {
  return [
    { kind: "MODEL_INPUT_TOKEN", quantity: inputTokens - cachedTokens },
    { kind: "MODEL_CACHED_INPUT_TOKEN", quantity: cachedTokens },
    { kind: "MODEL_OUTPUT_TOKEN", quantity: outputTokens },
  ] as const;
}

/** Returns what a session has cost so far by its tokens and its time on the line. */
export function costOfSession(prices: Record<UsageKind, string>, used: UsedTokens & { elapsedMs: number }): number {
  const telephony = { kind: "TELEPHONY_SECOND" as const, quantity: used.elapsedMs / 1_000 };
  return [...tokenQuantities(used), telephony].reduce(
    (sum, { kind, quantity }) => sum + Number(prices[kind]) * quantity,
    0,
  );
}
