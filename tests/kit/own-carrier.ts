import type { AccountCheck, AccountKeys, CarrierAccount, CarrierProvider } from "#src/telephony/carriers/account.ts";
import { createMissingCarrier } from "#src/telephony/carriers/missing-carrier.ts";
import type { NumberResult, OfferedNumber, OwnedNumber } from "#src/telephony/carriers/number-provisioning.ts";

/** A carrier inside the test's process: it sells numbers, remembers orders, and answers as a test sets it. */
export class OwnCarrier {
  /** Result of account checks. */
  check: AccountCheck = { kind: "WORKS", message: "It works." };
  /** Numbers for sale. */
  forSale: string[] = [];
  /** Numbers that the account holds. */
  readonly owned = new Set<string>();
  /** All orders, in order. */
  readonly orders: string[] = [];
  /** Numbers that are configured for us. */
  readonly configured: string[] = [];
  /** Accounts as they were opened. */
  readonly opened: AccountKeys[] = [];
  /** Results of the next orders instead of the usual ones: LOST places the order but gives no answer. */
  readonly buyPlan: ("LOST" | "NOT_PLACED" | "REFUSED")[] = [];
  configurePlan: ("UNCERTAIN" | "REFUSED")[] = [];
  /** Result of a look-up instead of the usual one. */
  lookUp: "REFUSED" | "UNCERTAIN" | null = null;

  /** Returns the provider as in the registry. */
  provider(name: CarrierProvider["name"] = "TWILIO"): CarrierProvider {
    return {
      name,
      callsPerSecond: 1,
      fields: [
        { name: "accountSid", label: "Account SID", isSecret: false, isRequired: true, pattern: /AC[0-9a-f]{4}/ },
        { name: "apiUrl", label: "Address", isSecret: false, isRequired: false, pattern: /https?:.*/ },
        { name: "authToken", label: "Auth token", isSecret: true, isRequired: true, pattern: /[0-9a-z]{8}/ },
      ],
      open: (keys) => this.#open(keys),
    };
  }

  #open(keys: AccountKeys): CarrierAccount {
    this.opened.push(keys);
    const none = () => Promise.reject(new Error("not part of these tests"));
    const refused = { kind: "REFUSED", code: "20003", message: "Authenticate", blame: "ACCOUNT" } as const;
    const lost = { kind: "UNCERTAIN", code: "TIMEOUT", message: "No answer." } as const;
    return {
      id: keys.id,
      carrier: createMissingCarrier("TWILIO", "no calls here"),
      messenger: {
        name: "OWN",
        horizonMs: 1_000,
        absenceIsProof: false,
        assumesOpenWindow: false,
        send: none,
        lookUp: none,
      },
      numbers: {
        search: async () => ({ kind: "DONE", value: this.forSale.map((number) => offered(number)) }),
        findOwned: async (number) => {
          if (this.lookUp === "REFUSED") return refused;
          if (this.lookUp === "UNCERTAIN") return lost;
          return this.owned.has(number) ? done(number) : { kind: "ABSENT", message: `${number} is not yours.` };
        },
        buy: async (number) => {
          this.orders.push(`buy ${number}`);
          const plan = this.buyPlan.shift();
          if (plan === "REFUSED") return { ...refused, message: "Trial accounts hold one number.", blame: "NUMBER" };
          if (plan !== "NOT_PLACED") this.owned.add(number);
          return plan === undefined ? done(number) : lost;
        },
        configure: async ({ number }) => {
          const plan = this.configurePlan.shift();
          if (plan === "REFUSED") return { ...refused, message: "The number cannot call.", blame: "NUMBER" };
          if (plan === "UNCERTAIN") return lost;
          this.configured.push(number);
          return done(number);
        },
        release: async ({ number }) => {
          this.orders.push(`release ${number}`);
          return this.owned.delete(number) ? { kind: "DONE", value: null } : { kind: "ABSENT", message: "Gone." };
        },
      },
      check: async () => this.check,
      readWebhook: () => ({ kind: "MALFORMED", message: "not part of these tests" }),
      answerCall: none,
      declineCall: none,
    };
  }
}

function offered(number: string): OfferedNumber {
  return { number, capabilities: ["VOICE", "SMS"], monthlyPrice: null };
}

function done(number: string): NumberResult<OwnedNumber> {
  return { kind: "DONE", value: { number, externalId: `PN${number.slice(1)}`, capabilities: ["VOICE", "SMS"] } };
}
