/** Kinds of usage that are billed, each in a unit of its own. */
export const USAGE_KINDS = [
  "TELEPHONY_SECOND",
  "MODEL_INPUT_TOKEN",
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
  MODEL_OUTPUT_TOKEN: "0.000002",
  SPEECH_SECOND: "0.0003",
  TRANSCRIPTION_SECOND: "0.0001",
  SMS_SEGMENT: "0.008",
  WHATSAPP_MESSAGE: "0.015",
};

/** The default prices as rows of SQL: kind, unit_price. */
export const DEFAULT_PRICES_SQL = `(values ${USAGE_KINDS.map((kind) => `('${kind}', ${DEFAULT_PRICES[kind]})`).join(", ")}) as d(kind, unit_price)`;
