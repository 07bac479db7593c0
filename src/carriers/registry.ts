import type { CarrierProvider } from "./account.ts";
import { TELNYX_PROVIDER } from "./telnyx/telnyx-provider.ts";
import { TWILIO } from "./twilio/twilio-provider.ts";
import { vonageProvider } from "./vonage/vonage-provider.ts";

/** The carriers that one can have an account with. */
export const CARRIER_PROVIDERS: readonly CarrierProvider[] = [TWILIO, TELNYX_PROVIDER, vonageProvider];

/** A carrier by its name in the API or, in any case, in a URL; undefined for none of ours. */
export function findCarrierProvider(name: string): CarrierProvider | undefined {
  return CARRIER_PROVIDERS.find((provider) => provider.name === name.toUpperCase());
}
