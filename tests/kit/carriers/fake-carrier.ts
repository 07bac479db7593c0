/** Fate of a dial at a carrier that tests run by themselves. */
export interface DialPlan {
  /**
   * ACCEPT: answered with success. TIMEOUT: the call is placed, and the request never answered. ERROR: it is placed, and
   * the request answered with a 503. The rest place no call: THROTTLE is a 429, INVALID the carrier's refusal of the called
   * number, CREDENTIALS a 401.
   */
  answer: "ACCEPT" | "TIMEOUT" | "ERROR" | "THROTTLE" | "INVALID" | "CREDENTIALS";
  /** Behaviour of the called person. PICKS_UP talks until the other side hangs up, or for 8 s of conversation. */
  person: "PICKS_UP" | "HANGS_UP" | "BUSY" | "NO_ANSWER";
  /** Fate of the carrier's webhooks. LATE: two seconds late. LOST: none arrives. FORGED: signed with another key. */
  webhooks: "NORMAL" | "TWICE" | "REVERSED" | "LATE" | "LOST" | "FORGED";
  /** Milliseconds that the phone rings, if not the usual moment (Twilio). */
  ringMs?: number;
}

/** A call that the carrier really placed, as in its ledger. */
export interface PlacedCall {
  callId: string;
  from: string;
  to: string;
}

/** A carrier of our own that speaks the protocol of a real one, and remembers every call it placed. */
export interface FakeCarrier {
  /** Value of the account's setting `apiUrl`. */
  url: string;
  /** The keys of its one account, as `parley carrier add` takes them, by field name. */
  keys: Record<string, string>;
  /** Numbers that the account holds. */
  owned: string[];
  /** Numbers that it sells. */
  forSale: string[];
  /** Sets the fate of dials to a number; without a plan they are accepted, answered, and reported. */
  plan(to: string, plan: Partial<DialPlan>): void;
  /** Every call placed, in order. A person rung twice is listed twice. */
  readonly placed: readonly PlacedCall[];
  /** Messages accepted, in order. */
  readonly messages: readonly { id: string; from: string; to: string; text: string }[];
  /** Calls one of the account's numbers as a person; returns the call's id. */
  callIn(from: string, to: string): Promise<string>;
  /** Writes to one of the account's numbers as a person. */
  writeIn(from: string, to: string, text: string): Promise<void>;
  close(): Promise<void>;
}
