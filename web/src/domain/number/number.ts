import type { PhoneNumber } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { formatName } from "#web/ui/format/format.ts";

/** API path of the phone numbers. */
export const NUMBERS_PATH = "/phone-numbers";

/** A number that a carrier has for sale. */
export interface NumberOffer {
  number: string;
  capabilities: string[];
  monthlyPrice: { amount: string; currency: string } | null;
}

/** Providers of numbers that are no carrier with accounts. */
const OWN_PROVIDERS: Record<string, string> = { SANDBOX: t`Sandbox`, BYO_SIP: t`Your own SIP trunk` };

/** Label of a provider; a carrier's is its name. */
export function providerLabel(name: string): string {
  return OWN_PROVIDERS[name] ?? formatName(name);
}

/** Label of a number's capability. */
export function capabilityLabel(capability: string): string {
  return { VOICE: t`calls`, SMS: "SMS", WHATSAPP: "WhatsApp" }[capability] ?? capability;
}

/** Returns a number's problem, or what it waits for; null while it is active. */
export function troubleOf({ status, statusMessage, suspendedBy }: PhoneNumber): string | null {
  if (status === "ACTIVE") return null;
  if (statusMessage) return statusMessage;
  if (status === "PENDING") return t`The carrier is being asked.`;
  return suspendedBy === "OPERATOR" ? t`Suspended by a person.` : t`The carrier refuses it.`;
}

/** The server counts the queued calls of a number to here. */
const MOST_QUEUED = 1_000;

/** Returns the queued calls of a number as people read them. */
export function formatQueued({ queuedCalls }: Pick<PhoneNumber, "queuedCalls">): string {
  return queuedCalls < MOST_QUEUED ? String(queuedCalls) : t`1,000 or more`;
}
