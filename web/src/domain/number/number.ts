import type { PhoneNumber } from "@parley/sdk";

/** API path of the phone numbers. */
export const NUMBERS_PATH = "/phone-numbers";

/** A number that a carrier has for sale. */
export interface NumberOffer {
  number: string;
  capabilities: string[];
  monthlyPrice: { amount: string; currency: string } | null;
}

/** Labels of the providers of numbers. */
export const PROVIDERS = [
  { value: "SANDBOX", label: "Sandbox" },
  { value: "TWILIO", label: "Twilio" },
  { value: "TELNYX", label: "Telnyx" },
  { value: "VONAGE", label: "Vonage" },
  { value: "BYO_SIP", label: "Your own SIP trunk" },
];

/** Label of a provider. */
export function providerLabel(name: string): string {
  return PROVIDERS.find(({ value }) => value === name)?.label ?? name;
}

/** Label of a number's capability. */
export function capabilityLabel(capability: string): string {
  return { VOICE: "calls", SMS: "SMS", WHATSAPP: "WhatsApp" }[capability] ?? capability;
}

/** Returns a number's problem, or what it waits for; null while it is active. */
export function troubleOf({ status, statusMessage, suspendedBy }: PhoneNumber): string | null {
  if (status === "ACTIVE") return null;
  if (statusMessage) return statusMessage;
  if (status === "PENDING") return "The carrier is being asked.";
  return suspendedBy === "OPERATOR" ? "Suspended by a person." : "The carrier refuses it.";
}
