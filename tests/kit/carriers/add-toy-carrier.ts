/* Loaded before src/main.ts: adds the toy's line to the registry, as a new carrier's folder would have it. */
import type { CarrierProvider } from "#src/telephony/carriers/account.ts";
import { CARRIER_PROVIDERS } from "#src/telephony/carriers/registry.ts";
import { toyProvider } from "./toy-carrier.ts";

(CARRIER_PROVIDERS as CarrierProvider[]).push(toyProvider);
