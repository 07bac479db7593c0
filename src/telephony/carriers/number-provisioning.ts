/** What numbers to look for. */
export interface NumberWish {
  /** ISO 3166, upper case. */
  countryCode: string;
  /** National destination code, where the country has such. */
  areaCode: string | null;
  limit: number;
}

/** A number that a carrier has for sale. */
export interface OfferedNumber {
  /** E.164. */
  number: string;
  /** What it can do. */
  capabilities: NumberCapability[];
  /** Price of a month as a decimal string with its currency; null where the carrier does not tell. */
  monthlyPrice: { amount: string; currency: string } | null;
}

export type NumberCapability = "VOICE" | "SMS" | "WHATSAPP";

/** A number that the account holds. */
export interface OwnedNumber {
  /** E.164. */
  number: string;
  /** The carrier's id of it. */
  externalId: string;
  capabilities: NumberCapability[];
}

/** What became of an order to a carrier about a number. Nothing of it throws. */
export type NumberResult<T> =
  | { kind: "DONE"; value: T }
  /** The carrier does not have it, or does not have it any more. */
  | { kind: "ABSENT"; message: string }
  /**
   * The carrier refuses for good: trial limits, missing papers, wrong keys. `blame` tells whether the account is at fault,
   * `mayStillCome` that the order stands and may bring the number once a person has done their part.
   */
  | { kind: "REFUSED"; code: string; message: string; blame: "NUMBER" | "ACCOUNT"; mayStillCome?: true }
  /** Nobody can tell, or not yet: ask `findOwned` before anything is ordered again. */
  | { kind: "UNCERTAIN"; code: string; message: string };

/** The numbers of an account. */
export interface NumberProvisioning {
  search(wish: NumberWish, signal: AbortSignal): Promise<NumberResult<OfferedNumber[]>>;
  /** A number that the account holds already. */
  findOwned(number: string, signal: AbortSignal): Promise<NumberResult<OwnedNumber>>;
  /** Buys a number. DONE means that the account holds it; an order that is still worked on is UNCERTAIN. */
  buy(number: string, signal: AbortSignal): Promise<NumberResult<OwnedNumber>>;
  /** Points calls and messages of a number at us. May be repeated. */
  configure(number: OwnedNumber, signal: AbortSignal): Promise<NumberResult<OwnedNumber>>;
  /** Gives a number back to the carrier; ABSENT when it was not there. */
  release(number: OwnedNumber, signal: AbortSignal): Promise<NumberResult<null>>;
}
