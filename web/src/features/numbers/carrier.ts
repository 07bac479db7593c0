/** API path of the carrier accounts. */
export const ACCOUNTS_PATH = "/carrier-accounts";

/** An account with a carrier; its secrets are never shown. */
export interface CarrierAccount {
  id: string;
  provider: string;
  label: string;
  status: "ACTIVE" | "FAILED";
  statusMessage: string | null;
  settings: Record<string, string>;
  callsPerSecond: number;
  phoneNumbers: number;
  checkedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** An account with the result of its carrier's check. */
export interface CheckedAccount extends CarrierAccount {
  check: { kind: "WORKS" | "REFUSED" | "UNREACHABLE"; message: string };
}

/** A field that a carrier needs. */
export interface CarrierField {
  name: string;
  label: string;
  isSecret: boolean;
  isRequired: boolean;
  pattern: string;
}

/** A supported carrier and its fields. */
export interface CarrierProvider {
  provider: string;
  callsPerSecond: number;
  fields: CarrierField[];
}

/** Webhook URLs that must be entered at the carrier by hand; Parley sets all others itself. */
export function webhooksOf({ id, provider }: CarrierAccount, origin: string): { label: string; url: string }[] {
  const base = `${origin}/api/webhooks/carriers/${provider.toLowerCase()}/${id}`;
  return provider === "TWILIO" ? [{ label: "WhatsApp senders: inbound URL", url: `${base}/messages` }] : [];
}
