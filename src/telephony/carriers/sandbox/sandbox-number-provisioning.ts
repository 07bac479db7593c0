import { fictionalCode } from "#src/platform/kernel/e164.ts";
import type { NumberProvisioning, NumberResult, OwnedNumber } from "#src/telephony/carriers/number-provisioning.ts";

/** The usual calling numbers of the sandbox, by country, without the last two digits. */
const STEMS = new Map([
  ["US", "+120255501"],
  ["GB", "+4420794601"],
  ["AU", "+612555001"],
]);
/** Calling numbers without a behaviour of their own. */
const USUAL_CODES = [90, 93, 94, 95, 96, 97, 98, 99];
const CAPABILITIES = ["VOICE", "SMS", "WHATSAPP"] as const;

/** The numbers of the sandbox: fictional ones, which every account already holds and which cost nothing. */
export const sandboxNumberProvisioning: NumberProvisioning = {
  async search({ countryCode, limit }) {
    const stem = STEMS.get(countryCode);
    if (!stem) return { kind: "ABSENT", message: `has no sandbox numbers; ${[...STEMS.keys()].join(", ")} have.` };
    const numbers = USUAL_CODES.slice(0, limit).map((code) => ({
      number: `${stem}${code}`,
      capabilities: [...CAPABILITIES],
      monthlyPrice: null,
    }));
    return { kind: "DONE", value: numbers };
  },
  findOwned: async (number) => findFictional(number),
  buy: async (number) => findFictional(number),
  configure: async (number) => ({ kind: "DONE", value: number }),
  release: async ({ number }) => (fictionalCode(number) === null ? notThere(number) : { kind: "DONE", value: null }),
};

function findFictional(number: string): NumberResult<OwnedNumber> {
  if (fictionalCode(number) === null) return notThere(number);
  return { kind: "DONE", value: { number, externalId: number, capabilities: [...CAPABILITIES] } };
}

function notThere(number: string): NumberResult<never> {
  return { kind: "ABSENT", message: `${number} is none of the sandbox's numbers.` };
}
