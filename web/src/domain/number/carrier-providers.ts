import { useRead } from "#web/api/queries.ts";
import { providerLabel } from "./number.ts";

/** A field that a carrier needs. */
export interface CarrierField {
  name: string;
  label: string;
  isSecret: boolean;
  isRequired: boolean;
  pattern: string;
}

/** A carrier that an account can be with, as the service lists it. */
export interface CarrierProvider {
  provider: string;
  callsPerSecond: number;
  fields: CarrierField[];
  /** Webhooks that a person enters at the carrier; paths below the account's own address. */
  webhooksByHand: { label: string; path: string }[];
}

/** Reads the carriers that the service knows. */
export function useCarrierProviders() {
  return useRead<CarrierProvider[]>("/carrier-providers");
}

/** Returns the choices of a number's provider: the sandbox, each carrier, a SIP trunk. */
export function useProviderOptions(): { value: string; label: string }[] {
  const carriers = useCarrierProviders().data ?? [];
  const names = ["SANDBOX", ...carriers.map(({ provider }) => provider), "BYO_SIP"];
  return names.map((value) => ({ value, label: providerLabel(value) }));
}
