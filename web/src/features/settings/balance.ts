/** Balance of the workspace; amounts are decimal texts. */
export interface Balance {
  balance: string;
  currency: string;
  creditLimit: string | null;
  availableCredit: string | null;
  pending: string;
  lowBalanceThreshold: string | null;
  lowBalance: boolean;
  unlimited: boolean;
  toppedUpTotal: string;
  billedTotal: string;
  simulatedTotal: string;
  asOf: string;
}

/** Prices and limits of the workspace. */
export interface Billing {
  workspaceId: string;
  currency: string;
  creditLimit: string | null;
  lowBalanceThreshold: string | null;
  prices: Record<string, string>;
}

/** One entry of the ledger. */
export interface UsageEntry {
  id: string;
  kind: string;
  quantity: number;
  unitPrice: string;
  amount: string;
  simulated: boolean;
  subjectType: "CALL" | "CHAT" | "TRANSCRIPTION";
  subjectId: string;
  createdAt: string;
}

/** Usage by UTC day and kind. */
export interface UsageSummary {
  from: string;
  to: string;
  currency: string;
  billed: string;
  simulated: string;
  days: { day: string; kind: string; simulated: boolean; entries: number; quantity: number; amount: string }[];
}

/** A payment, or with a negative amount a correction. */
export interface TopUp {
  id: string;
  amount: string;
  note: string | null;
  reference: string | null;
  createdAt: string;
}

/** Label and unit of each kind of usage. */
export const KINDS: Record<string, { label: string; unit: string }> = {
  TELEPHONY_SECOND: { label: "Telephony", unit: "second" },
  MODEL_INPUT_TOKEN: { label: "Model, input", unit: "token" },
  MODEL_CACHED_INPUT_TOKEN: { label: "Model, input kept by its provider", unit: "token" },
  MODEL_OUTPUT_TOKEN: { label: "Model, output", unit: "token" },
  SPEECH_SECOND: { label: "Speech", unit: "second" },
  TRANSCRIPTION_SECOND: { label: "Transcription", unit: "second" },
  SMS_SEGMENT: { label: "SMS", unit: "segment" },
  WHATSAPP_MESSAGE: { label: "WhatsApp", unit: "message" },
};

/** Label of a kind. */
export function nameKind(kind: string): string {
  return KINDS[kind]?.label ?? kind;
}
