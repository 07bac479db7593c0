/** Criteria of a search for numbers to buy. */
export interface NumberWish {
  /** ISO 3166, upper case. */
  countryCode: string;
  /** National destination code, where the country has them. */
  areaCode: string | null;
  limit: number;
}

/** A number that a carrier has for sale. */
export interface OfferedNumber {
  /** E.164. */
  number: string;
  /** Services that the number supports. */
  capabilities: NumberCapability[];
  /** Monthly price as a decimal string with its currency; null where the carrier does not state one. */
  monthlyPrice: { amount: string; currency: string } | null;
}

export type NumberCapability = "VOICE" | "SMS" | "WHATSAPP";

/** A number that the account holds. */
export interface OwnedNumber {
  /** E.164. */
  number: string;
  /** The carrier's id of the number. */
  externalId: string;
  capabilities: NumberCapability[];
}

/** Result of an order to a carrier about a number; the orders never throw. */
export type NumberResult<T> =
  | { kind: "DONE"; value: T }
  /** The carrier does not have the number, or no longer. */
  | { kind: "ABSENT"; message: string }
  /**
   * The carrier refuses for good: trial limits, missing papers, wrong keys. `blame` says whether the account is at
   * fault; `mayStillCome` says that the order stands and may deliver the number once a person has done their part.
   */
  | { kind: "REFUSED"; code: string; message: string; blame: "NUMBER" | "ACCOUNT"; mayStillCome?: true }
  /** The result is not known, or not yet: call `findOwned` before ordering anything again. */
  | { kind: "UNCERTAIN"; code: string; message: string };

/** The numbers of an account. */
export interface NumberProvisioning {
  search(wish: NumberWish, signal: AbortSignal): Promise<NumberResult<OfferedNumber[]>>;
  /** Returns a number that the account already holds. */
  findOwned(number: string, signal: AbortSignal): Promise<NumberResult<OwnedNumber>>;
  /** Buys a number. DONE means that the account holds it; an order still in progress is UNCERTAIN. */
  buy(number: string, signal: AbortSignal): Promise<NumberResult<OwnedNumber>>;
  /** Points calls and messages of a number at us. Repeatable. */
  configure(number: OwnedNumber, signal: AbortSignal): Promise<NumberResult<OwnedNumber>>;
  /** Returns a number to the carrier; ABSENT when the account did not hold it. */
  release(number: OwnedNumber, signal: AbortSignal): Promise<NumberResult<null>>;
}
