import type { CarrierProvider } from "#web/domain/number/carrier-providers.ts";

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

/** Returns the webhook URLs that must be entered at the carrier by hand; Parley sets all others itself. */
export function webhooksOf(
  { id, provider }: CarrierAccount,
  carriers: CarrierProvider[],
  origin: string,
): { label: string; url: string }[] {
  const base = `${origin}/api/webhooks/carriers/${provider.toLowerCase()}/${id}`;
  const byHand = carriers.find((carrier) => carrier.provider === provider)?.webhooksByHand ?? [];
  return byHand.map(({ label, path }) => ({ label, url: `${base}/${path}` }));
}
