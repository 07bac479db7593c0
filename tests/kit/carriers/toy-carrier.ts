import type { AccountKeys, AccountParts, CarrierAccount, CarrierProvider } from "#src/telephony/carriers/account.ts";
import type { Carrier, CarrierEvent, DialRequest } from "#src/telephony/carriers/carrier.ts";
import { createEndedLine } from "#src/telephony/carriers/ended-line.ts";
import type { Messenger } from "#src/telephony/carriers/messages.ts";
import type { NumberProvisioning, OwnedNumber } from "#src/telephony/carriers/number-provisioning.ts";

/** A whole carrier in one file: everybody picks up and hangs up at once, and every number is ours. */
export const toyProvider: CarrierProvider = {
  name: "TOY",
  fields: [{ name: "toyKey", label: "Key of the toy", isSecret: true, isRequired: true, pattern: /^toy-\d+$/ }],
  callsPerSecond: 50,
  open: openToy,
};

function openToy({ id }: AccountKeys, { deliver }: AccountParts): CarrierAccount {
  const nothing = { status: 200, headers: {}, body: "" };
  return {
    id,
    carrier: createCarrier(deliver),
    messenger,
    numbers,
    check: async () => ({ kind: "WORKS", message: "The toy works." }),
    readWebhook: () => ({ kind: "READ", events: [], answer: nothing }),
    answerCall: async () => nothing,
    declineCall: async () => nothing,
  };
}

function createCarrier(deliver: (event: CarrierEvent) => void): Carrier {
  const report = ({ attemptId }: DialRequest): void => {
    const base = (step: string) => ({
      eventKey: `${attemptId} ${step}`,
      attemptId,
      providerCallId: `toy-${attemptId}`,
      at: new Date().toISOString(),
    });
    deliver({ ...base("answered"), type: "ANSWERED", answeredBy: "HUMAN" });
    const ended = { outcome: "ANSWERED", hungUpBy: "CUSTOMER", sipCode: null, reason: "hung up" } as const;
    deliver({ ...base("ended"), type: "ENDED", ...ended });
  };
  return {
    name: "TOY",
    capabilities: { dedupe: null, looksUpBy: "ATTEMPT_ID", absenceIsProof: false, horizonMs: 1_000 },
    async dial(request) {
      setTimeout(() => report(request), 50);
      return { kind: "ACCEPTED", providerCallId: `toy-${request.attemptId}` };
    },
    lookUp: async () => ({ kind: "UNCERTAIN", message: "The toy forgets." }),
    hangUp: async () => undefined,
    openLine: () => createEndedLine(true),
  };
}

const owned = async (number: string) =>
  ({ kind: "DONE", value: { number, externalId: number, capabilities: ["VOICE"] } satisfies OwnedNumber }) as const;

const numbers: NumberProvisioning = {
  search: async () => ({ kind: "DONE", value: [] }),
  findOwned: (number) => owned(number),
  buy: (number) => owned(number),
  configure: ({ number }) => owned(number),
  release: async () => ({ kind: "DONE", value: null }),
};

const messenger: Messenger = {
  name: "TOY",
  horizonMs: 1_000,
  absenceIsProof: false,
  assumesOpenWindow: false,
  send: async () => ({ kind: "REFUSED", code: "NO_MESSAGES", message: "The toy sends no messages.", retryable: false }),
  lookUp: async () => ({ kind: "ABSENT" }),
};
