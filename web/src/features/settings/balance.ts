import { plural, t } from "#web/i18n/t.ts";

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
export const KINDS: Record<string, { label: string; unit: string; counted: (count: number) => string }> = {
  TELEPHONY_SECOND: {
    label: t`Telephony`,
    unit: t`second`,
    counted: (count) => plural(count, "{n} second", "{n} seconds"),
  },
  MODEL_INPUT_TOKEN: {
    label: t`Model, input`,
    unit: t`token`,
    counted: (count) => plural(count, "{n} token", "{n} tokens"),
  },
  MODEL_CACHED_INPUT_TOKEN: {
    label: t`Model, input kept by its provider`,
    unit: t`token`,
    counted: (count) => plural(count, "{n} token", "{n} tokens"),
  },
  MODEL_OUTPUT_TOKEN: {
    label: t`Model, output`,
    unit: t`token`,
    counted: (count) => plural(count, "{n} token", "{n} tokens"),
  },
  SPEECH_SECOND: { label: t`Speech`, unit: t`second`, counted: (count) => plural(count, "{n} second", "{n} seconds") },
  TRANSCRIPTION_SECOND: {
    label: t`Transcription`,
    unit: t`second`,
    counted: (count) => plural(count, "{n} second", "{n} seconds"),
  },
  SMS_SEGMENT: { label: "SMS", unit: t`segment`, counted: (count) => plural(count, "{n} segment", "{n} segments") },
  WHATSAPP_MESSAGE: {
    label: "WhatsApp",
    unit: t`message`,
    counted: (count) => plural(count, "{n} message", "{n} messages"),
  },
};

/** Label of a kind. */
export function nameKind(kind: string): string {
  return KINDS[kind]?.label ?? kind;
}
