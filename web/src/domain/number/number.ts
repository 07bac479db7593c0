import type { PhoneNumber } from "@parley/sdk";

/** Where numbers are. */
export const NUMBERS_PATH = "/phone-numbers";

/** A number that a carrier has for sale. */
export interface NumberOffer {
  number: string;
  capabilities: string[];
  monthlyPrice: { amount: string; currency: string } | null;
}

/** Where numbers come from, in words. */
export const PROVIDERS = [
  { value: "SANDBOX", label: "Sandbox" },
  { value: "TWILIO", label: "Twilio" },
  { value: "TELNYX", label: "Telnyx" },
  { value: "VONAGE", label: "Vonage" },
  { value: "BYO_SIP", label: "Your own SIP trunk" },
];

/** A provider in words. */
export function providerLabel(name: string): string {
  return PROVIDERS.find(({ value }) => value === name)?.label ?? name;
}

/** What a number can do, in words. */
export function capabilityLabel(capability: string): string {
  return { VOICE: "calls", SMS: "SMS", WHATSAPP: "WhatsApp" }[capability] ?? capability;
}

/** What went wrong with a number, or what it waits for; null while all is well. */
export function troubleOf({ status, statusMessage, suspendedBy }: PhoneNumber): string | null {
  if (status === "ACTIVE") return null;
  if (statusMessage) return statusMessage;
  if (status === "PENDING") return "The carrier is being asked.";
  return suspendedBy === "OPERATOR" ? "Suspended by a person." : "The carrier refuses it.";
}
