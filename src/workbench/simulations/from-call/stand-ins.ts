const FIRST_NAMES = ["Robin", "Kim", "Alex", "Sascha", "Toni", "Noa", "Mika", "Charlie", "Jona", "Luca"];
const LAST_NAMES = ["Example", "Sample", "Muster", "Modelo", "Placeholder", "Exempel", "Modele", "Specimen"];
const THINGS = "Alpha Bravo Delta Echo Foxtrot Hotel Kilo Lima Oscar Quebec Sierra Tango Victor Yankee Zulu".split(" ");
/** Fewest digits that are matched with the end of a longer number and share its stand-in. */
const SHORTEST_PHONE = 6;

/**
 * Ranges set aside for fiction by the authorities of some countries, by the number's prefix and length. The length
 * minus that of `standIn` gives the free digits at the end. The range of the United States is also used for numbers
 * without a country code.
 */
const FICTIONAL: { starts: string; length: number; standIn: string }[] = [
  { starts: "1", length: 11, standIn: "120255501" },
  { starts: "44", length: 12, standIn: "447700900" },
  { starts: "61", length: 11, standIn: "612555001" },
  { starts: "46", length: 11, standIn: "468465004" },
  { starts: "33", length: 11, standIn: "331990000" },
  { starts: "49", length: 12, standIn: "4930231250" },
  { starts: "", length: 10, standIn: "20255501" },
];

/** Makes stand-ins for personal things: the same for the same thing, another for another. */
export class StandIns {
  readonly #given = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #phones: { core: string; standIn: string }[] = [];
  /** True for folded words that no stand-in may use, because they occur in the texts. */
  readonly #taken: (word: string) => boolean;

  constructor(isTaken: (word: string) => boolean) {
    this.#taken = isTaken;
  }

  /** Returns a first name, or a name that follows it, of people who do not exist. */
  name(key: string, isFirst: boolean): string {
    return this.#give(`name ${key}`, isFirst ? "first" : "last", (n) => pick(isFirst ? FIRST_NAMES : LAST_NAMES, n));
  }

  /** Returns an e-mail address at a domain that nobody can own. */
  email(key: string): string {
    return this.#give(`email ${key}`, "email", (n) => `person${n + 1}@example.com`);
  }

  /** Returns a web address. */
  url(key: string): string {
    return this.#give(`url ${key}`, "url", (n) => `https://example.com/page-${n + 1}`);
  }

  /** Returns an identifier of the same form. */
  uuid(key: string): string {
    return this.#give(`uuid ${key}`, "uuid", (n) => `00000000-0000-4000-8000-${String(n + 1).padStart(12, "0")}`);
  }

  /** Returns the number of a street, counted from 1. */
  street(key: string): number {
    return Number(this.#give(`street ${key}`, "street", (n) => String(n + 1)));
  }

  /** Returns a day, counted from 1 to 12. */
  birthDay(key: string): number {
    return Number(this.#give(`birth ${key}`, "birth", (n) => String((n % 12) + 1)));
  }

  /** Returns a word or two for any other value. */
  thing(key: string, isLong: boolean): string {
    return this.#give(`thing ${key}`, "thing", (n) => `Sample ${isLong ? "text " : ""}${pick(THINGS, n)}`);
  }

  /** Returns an IBAN with as many letters and digits, and with correct check digits. */
  iban(plain: string): string {
    return this.#give(`iban ${plain}`, "iban", (n) => {
      const kept = plain.slice(4).replaceAll(/[A-Z]/g, "X").replaceAll(/\d/g, "0");
      const digits = String(n + 1);
      const account = kept.slice(0, -digits.length) + digits;
      const rest = remainderOf(`${account}${plain.slice(0, 2)}00`);
      return `${plain.slice(0, 2)}${String(98 - rest).padStart(2, "0")}${account}`;
    });
  }

  /** Returns a card number of a test range, of the same length, with a correct check digit. */
  card(digits: string): string {
    return this.#give(`card ${digits}`, "card", (n) => {
      const body = `4${"1".repeat(digits.length - 4)}${String(11 + n).slice(-2)}`;
      for (let check = 0; check < 10; check++) if (isLuhn(`${body}${check}`)) return `${body}${check}`;
      return `${body}0`;
    });
  }

  /** Returns as many digits, from a range set aside for fiction where the country has one. */
  digits(all: string): string {
    const core = all.replace(/^0+/, "");
    const zeros = all.slice(0, all.length - core.length);
    if (core === "") return all;
    const known = this.#phones.find((phone) => isSameEnd(phone.core, core));
    if (known) return zeros + fitEnd(known, core);
    const standIn = this.#give(`digits ${core}`, "digits", (n) => fictional(core, n));
    this.#phones.push({ core, standIn });
    return zeros + standIn;
  }

  #give(key: string, series: string, make: (n: number) => string): string {
    const given = this.#given.get(key);
    if (given !== undefined) return given;
    let n = this.#counts.get(series) ?? 0;
    let made = make(n);
    // Skips stand-ins that occur in the call: a person may really be called Robin, or have the fictional number.
    for (let tries = 0; tries < 200 && this.#isUnfit(made, key); tries++) made = make(++n);
    this.#counts.set(series, n + 1);
    this.#given.set(key, made);
    return made;
  }

  #isUnfit(made: string, key: string): boolean {
    return (
      key.endsWith(` ${made}`) ||
      made
        .toLowerCase()
        .split(" ")
        .some((word) => this.#taken(word))
    );
  }
}

function pick(list: readonly string[], n: number): string {
  const round = Math.floor(n / list.length);
  return `${list[n % list.length] as string}${round === 0 ? "" : toLetters(round)}`;
}

function toLetters(n: number): string {
  return Array.from(String(n), (digit) => String.fromCharCode(97 + Number(digit))).join("");
}

function isSameEnd(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < SHORTEST_PHONE) return a === b;
  return a.endsWith(b) || b.endsWith(a);
}

function fitEnd({ core, standIn }: { core: string; standIn: string }, wanted: string): string {
  const more = wanted.length - core.length;
  // The additional leading digits of a longer number are a country or area code.
  return more <= 0 ? standIn.slice(-more) : wanted.slice(0, more) + standIn;
}

function fictional(core: string, n: number): string {
  const range = FICTIONAL.find(({ starts, length }) => core.length === length && core.startsWith(starts));
  const start = range?.standIn ?? "5".repeat(Math.max(0, core.length - 3));
  const free = core.length - start.length;
  return (
    start +
    String(n % 10 ** free)
      .padStart(free, range ? "0" : "1")
      .slice(-free || undefined)
  );
}

/** True when the last digit is the check digit of payment cards. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (const [i, digit] of Array.from(digits).reverse().entries()) {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** True for an account number with correct check digits (ISO 13616). */
export function isIban(plain: string): boolean {
  return remainderOf(plain.slice(4) + plain.slice(0, 4)) === 1;
}

function remainderOf(text: string): number {
  let rest = 0;
  for (const letter of text) {
    const value = /\d/.test(letter) ? letter : String(letter.charCodeAt(0) - 55);
    rest = Number(`${rest}${value}`) % 97;
  }
  return rest;
}
