import type { CarrierProvider } from "./account.ts";
import { TELNYX_PROVIDER } from "./telnyx/telnyx-provider.ts";
import { TWILIO } from "./twilio/twilio-provider.ts";
import { vonageProvider } from "./vonage/vonage-provider.ts";

/** The carriers that one can have an account with. */
export const CARRIER_PROVIDERS: readonly CarrierProvider[] = [TWILIO, TELNYX_PROVIDER, vonageProvider];
