/** What becomes of a dial at a carrier that tests run by themselves. */
export interface DialPlan {
  /**
   * ACCEPT: answered with success. TIMEOUT: the call is placed, and the request never answered. ERROR: it is placed, and
   * the request answered with a 503. The rest place no call: THROTTLE is a 429, INVALID the carrier's refusal of the called
   * number, CREDENTIALS a 401.
   */
  answer: "ACCEPT" | "TIMEOUT" | "ERROR" | "THROTTLE" | "INVALID" | "CREDENTIALS";
  /** How the called person behaves. PICKS_UP talks until the other side hangs up, or for 8 s of talk. */
  person: "PICKS_UP" | "HANGS_UP" | "BUSY" | "NO_ANSWER";
  /** What becomes of the carrier's webhooks. LATE: two seconds late. LOST: none comes. FORGED: signed with another key. */
  webhooks: "NORMAL" | "TWICE" | "REVERSED" | "LATE" | "LOST" | "FORGED";
  /** How long the phone rings, in milliseconds, where it is not the usual moment (Twilio). */
  ringMs?: number;
}

/** A call that the carrier really placed, as its ledger has it. */
export interface PlacedCall {
  callId: string;
  from: string;
  to: string;
}

/** A carrier of our own that speaks the protocol of a real one, and remembers every call it placed. */
export interface FakeCarrier {
  /** As the account's setting `apiUrl`. */
  url: string;
  /** The keys of its one account: what `parley carrier add` takes, by field name. */
  keys: Record<string, string>;
  /** Numbers that the account holds. */
  owned: string[];
  /** Numbers that it sells. */
  forSale: string[];
  /** What becomes of dials to a number; without a plan they are accepted, answered, and reported. */
  plan(to: string, plan: Partial<DialPlan>): void;
  /** Every call placed, in order. A person rung twice stands there twice. */
  readonly placed: readonly PlacedCall[];
  /** Messages taken, in order. */
  readonly messages: readonly { id: string; from: string; to: string; text: string }[];
  /** A person calls one of the account's numbers; gives the call's id. */
  callIn(from: string, to: string): Promise<string>;
  /** A person writes to one of the account's numbers. */
  writeIn(from: string, to: string, text: string): Promise<void>;
  close(): Promise<void>;
}
