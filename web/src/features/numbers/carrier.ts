/** Where accounts with carriers are. */
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

/** An account with what its carrier said. */
export interface CheckedAccount extends CarrierAccount {
  check: { kind: "WORKS" | "REFUSED" | "UNREACHABLE"; message: string };
}

/** One thing that a carrier asks for. */
export interface CarrierField {
  name: string;
  label: string;
  isSecret: boolean;
  isRequired: boolean;
  pattern: string;
}

/** A carrier that one can have an account with. */
export interface CarrierProvider {
  provider: string;
  callsPerSecond: number;
  fields: CarrierField[];
}

/** Addresses that have to be entered at the carrier by hand; Parley sets all the others itself. */
export function webhooksOf({ id, provider }: CarrierAccount, origin: string): { label: string; url: string }[] {
  const base = `${origin}/api/webhooks/carriers/${provider.toLowerCase()}/${id}`;
  return provider === "TWILIO" ? [{ label: "WhatsApp senders: inbound URL", url: `${base}/messages` }] : [];
}
