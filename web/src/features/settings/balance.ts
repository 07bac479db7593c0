import { LOCALE } from "#web/i18n/language.ts";
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

const MILLION = 1_000_000;
/** Digits after the point that a price may have. */
const MOST_DIGITS = 12;

interface UsageKind {
  label: string;
  unit: string;
  counted: (count: number) => string;
  /** True: a unit costs so little that its price is read per million. */
  isPerMillion?: true;
}

/** Label and unit of each kind of usage. */
export const KINDS: Record<string, UsageKind> = {
  TELEPHONY_SECOND: {
    label: t`Telephony`,
    unit: t`second`,
    counted: (count) => plural(count, "{n} second", "{n} seconds"),
  },
  MODEL_INPUT_TOKEN: {
    label: t`Model, input`,
    unit: t`token`,
    counted: (count) => plural(count, "{n} token", "{n} tokens"),
    isPerMillion: true,
  },
  MODEL_CACHED_INPUT_TOKEN: {
    label: t`Model, input kept by its provider`,
    unit: t`token`,
    counted: (count) => plural(count, "{n} token", "{n} tokens"),
    isPerMillion: true,
  },
  MODEL_OUTPUT_TOKEN: {
    label: t`Model, output`,
    unit: t`token`,
    counted: (count) => plural(count, "{n} token", "{n} tokens"),
    isPerMillion: true,
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

/** A unit price as it is read: that of tokens is for a million. The API has every price for one unit. */
export function readPrice(kind: string, price: string): { amount: string; unit: string } {
  const { unit = t`unit`, counted, isPerMillion = false } = KINDS[kind] ?? {};
  const format = (value: number) => value.toLocaleString(LOCALE, { maximumFractionDigits: MOST_DIGITS });
  if (!isPerMillion || !counted) return { amount: format(Number(price)), unit };
  return { amount: format(Number(price) * MILLION), unit: counted(MILLION) };
}

/** Label of a kind. */
export function nameKind(kind: string): string {
  return KINDS[kind]?.label ?? kind;
}

/** An amount without marks between thousands: three digits behind a mark are thousands to some, a part to others. */
const AMOUNT = /^-?\d+(?:[.,](?:\d{1,2}|\d{4,}))?$/;

/** Returns the fault of an amount as a person typed it; null when it can be read in one way only. */
export function checkAmount(text: string): string | null {
  return AMOUNT.test(text.trim()) ? null : t`Write it without marks between thousands, such as 1000.00.`;
}

/** An amount that was typed with a point or a comma before its part, as the API takes it. */
export function toAmount(text: string): string {
  return text.trim().replace(",", ".");
}

/** Form of the prices and limits; an empty text is no limit, or the default price. */
export type PriceValues = {
  currency: string;
  creditLimit: string;
  lowBalanceThreshold: string;
  prices: Record<string, string>;
};

/** Returns the form of the stored prices and limits. */
export function toPriceValues({ currency, creditLimit, lowBalanceThreshold, prices }: Billing): PriceValues {
  return { currency, creditLimit: creditLimit ?? "", lowBalanceThreshold: lowBalanceThreshold ?? "", prices };
}

/** A price of one unit; three digits behind the mark are usual, and no unit costs thousands. */
const PRICE = /^\d+(?:[.,]\d+)?$/;

/** Returns the faults of the texts that were changed, by field. */
export function findPriceFaults(values: PriceValues, before: Billing): Record<string, string | null> {
  const stored = toPriceValues(before);
  const check = (text: string, from: string) => (text === from || text.trim() === "" ? null : checkAmount(text));
  const checkPrice = (text: string, from = "") => (PRICE.test(text.trim()) ? null : check(text, from));
  return {
    creditLimit: check(values.creditLimit, stored.creditLimit),
    lowBalanceThreshold: check(values.lowBalanceThreshold, stored.lowBalanceThreshold),
    ...Object.fromEntries(
      Object.entries(values.prices).map(([kind, text]) => [`prices.${kind}`, checkPrice(text, stored.prices[kind])]),
    ),
  };
}

/** Returns only the changed values; an empty one is sent as null. */
export function toPriceChange(values: PriceValues, before: Billing): object {
  const orNull = (text: string) => (text.trim() === "" ? null : toAmount(text));
  const prices = Object.entries(values.prices).filter(([kind, price]) => price !== before.prices[kind]);
  return {
    ...(values.currency === before.currency ? {} : { currency: values.currency.trim().toUpperCase() }),
    ...(orNull(values.creditLimit) === before.creditLimit ? {} : { creditLimit: orNull(values.creditLimit) }),
    ...(orNull(values.lowBalanceThreshold) === before.lowBalanceThreshold
      ? {}
      : { lowBalanceThreshold: orNull(values.lowBalanceThreshold) }),
    ...(prices.length === 0 ? {} : { prices: Object.fromEntries(prices.map(([kind, text]) => [kind, orNull(text)])) }),
  };
}
