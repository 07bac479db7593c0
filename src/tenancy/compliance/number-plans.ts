import { type CountryCode, Metadata, type NumberType } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/max/metadata";
import { isE164 } from "#src/platform/kernel/e164.ts";

/** Reading of a number by the numbering plan of its calling code, as libphonenumber reads it. */
export interface PlannedNumber {
  /** Undefined where several countries share the calling code and none of them has the number. */
  country: CountryCode | undefined;
  callingCode: string;
  /** Undefined for a number that nobody can have. */
  type: NumberType;
}

/** A plan in the library's metadata. Its types leave these methods out. */
interface RawPlan {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  leadingDigits(): string | undefined;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

/** The library tries them in this order, and the first that matches is the type. */
const TYPES = [
  "FIXED_LINE",
  "MOBILE",
  "PREMIUM_RATE",
  "TOLL_FREE",
  "SHARED_COST",
  "VOIP",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
] as const;

/** Numbers of one country or of a calling code that belongs to none, with every pattern compiled once. */
class Plan {
  /** A number that begins so may have been written with its trunk prefix. */
  readonly prefix: RegExp | null;
  /** Beginning that a country's numbers have among those of the others with its calling code. */
  readonly leading: RegExp | null;
  readonly #whole: RegExp;
  readonly #types: { name: (typeof TYPES)[number]; whole: RegExp; lengths: number[] | undefined }[] = [];

  constructor(raw: RawPlan) {
    const prefix = raw.nationalPrefixForParsing();
    const leading = raw.leadingDigits();
    this.prefix = prefix ? new RegExp(`^(?:${prefix})`) : null;
    this.leading = leading ? new RegExp(`^(?:${leading})`) : null;
    this.#whole = whole(raw.nationalNumberPattern());
    for (const name of TYPES) {
      const type = raw.type(name);
      if (type?.pattern()) this.#types.push({ name, whole: whole(type.pattern()), lengths: type.possibleLengths() });
    }
  }

  /** Returns the type of a national number; FIXED_LINE also where the library says FIXED_LINE_OR_MOBILE. */
  typeOf(number: string): NumberType {
    if (!this.#whole.test(number)) return undefined;
    for (const { name, whole, lengths } of this.#types) {
      if ((!lengths || lengths.includes(number.length)) && whole.test(number)) return name;
    }
    return undefined;
  }
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

const plans = new Map<string, Plan>();

/** Returns the plan of a country, or of a calling code of no country. */
function planOf(name: string): Plan {
  let plan = plans.get(name);
  if (!plan) {
    const found = new Metadata();
    found.selectNumberingPlan(name as CountryCode);
    plan = new Plan(found.numberingPlan as unknown as RawPlan);
    plans.set(name, plan);
  }
  return plan;
}

const { country_calling_codes: COUNTRIES, nonGeographic: WITHOUT_COUNTRY } = metadata;

/**
 * Reads an E.164 number as `parsePhoneNumberFromString` does, in a twentieth of the time: the library compiles several
 * patterns of kilobytes for each number. Undefined for a number that may hold a trunk prefix, which the library takes out
 * by rules of its own, for one without a calling code, and for any other text.
 */
export function readPlannedNumber(number: string): PlannedNumber | undefined {
  if (!isE164(number)) return undefined;
  for (let end = 2; end <= 4; end++) {
    const callingCode = number.slice(1, end);
    const countries = COUNTRIES[callingCode as keyof typeof COUNTRIES] as CountryCode[] | undefined;
    if (countries || Object.hasOwn(WITHOUT_COUNTRY, callingCode)) {
      return readNational(callingCode, countries ?? [], number.slice(end));
    }
  }
  return undefined;
}

function readNational(callingCode: string, countries: CountryCode[], national: string): PlannedNumber | undefined {
  const plan = planOf(countries[0] ?? callingCode);
  if (plan.prefix?.exec(national)?.[0]) return undefined;
  if (countries.length <= 1) return { country: countries[0], callingCode, type: plan.typeOf(national) };
  for (const country of countries) {
    const { leading } = planOf(country);
    if (leading && !leading.test(national)) continue;
    const type = planOf(country).typeOf(national);
    if (leading || type) return { country, callingCode, type };
  }
  return { country: undefined, callingCode, type: plan.typeOf(national) };
}
