import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PersonalData } from "./personal-data.ts";
import { isIban, isLuhn } from "./stand-ins.ts";

function dataOf(names: string[], values: unknown, ...texts: string[]): PersonalData {
  const data = new PersonalData(2026, "Green Street Clinic. gold silver");
  for (const name of names) data.addName(name);
  data.addValue(values);
  for (const text of texts) data.read(text);
  return data;
}

describe("PersonalData", () => {
  it("gives the same stand-in to one thing in all its forms", () => {
    const data = dataOf(["Ada Lovelace"], {});
    const [first, whole, genitive] = ["Hello Ada!", "ada lovelace", "Adas plan"].map((text) => data.clean(text));
    const name = /^Hello (\w+)!$/.exec(first ?? "")?.[1] ?? "";
    expect(name).not.toBe("Ada");
    expect(whole?.startsWith(`${name.toLowerCase()} `)).toBe(true);
    expect(genitive?.startsWith(name)).toBe(true);
    expect(data.removed).toEqual([{ kind: "NAME", count: 2 }]);
  });

  it("keeps a telephone number's form, and knows it with and without its country", () => {
    const data = dataOf([], {});
    const stored = data.clean("+12125551234");
    expect(stored).toMatch(/^\+1202555\d{4}$/);
    expect(data.clean("(212) 555-1234").replaceAll(/\D/g, "")).toBe(stored.slice(2));
    expect(data.clean("0212 555 1234")).toMatch(/^0202 555 \d{4}$/);
    expect(data.cleanValue(2_125_551_234)).toBe(Number(stored.slice(2)));
  });

  it.each([
    ["two one two five five five one two three four", "two zero two five five five"],
    ["cero seis uno dos tres cuatro cinco seis", "cero"],
    ["null eins sieben null eins zwei drei vier", "null"],
    ["zéro six un deux trois quatre cinq six", "zero"],
    ["noll sju noll ett två tre fyra fem", "noll"],
  ])("takes out digits that are said: %s", (said, start) => {
    const cleaned = dataOf([], {}).clean(`It is ${said}.`);
    expect(cleaned).not.toContain(said);
    expect(cleaned.startsWith(`It is ${start}`)).toBe(true);
    expect(cleaned.split(" ")).toHaveLength(said.split(" ").length + 2);
  });

  it.each([
    "two oh two double five five one two three four",
    "cero seis doble uno dos tres cuatro",
    "zéro six un deux trois triple quatre",
    "noll sju dubbel noll ett två tre",
  ])("takes out digits that are said twice at once: %s", (said) => {
    const cleaned = dataOf([], {}).clean(`It is ${said}, and double check it.`);
    expect(cleaned).toMatch(/^It is \p{L}+(?: \p{L}+)+, and double check it\.$/u);
    expect(cleaned).not.toMatch(/(?:double|doble|triple|dubbel) (?!check)/);
  });

  it("knows a spelled address as the written one", () => {
    const data = dataOf([], {});
    const written = data.clean("ada_l@lovelace.org").split("@")[0];
    expect(data.clean("a d a underscore l at lovelace dot org")).toBe(`${written} at example dot com`);
  });

  it.each([
    ["write to ada.l@lovelace.co.uk please", /^write to person1@example\.com please$/],
    ["ada dot l at lovelace dot org", /^person1 at example dot com$/],
    ["ada underscore l at lovelace dot org", /^person1 at example dot com$/],
    ["it is a d a dash l at lovelace dot org", /^it is person1 at example dot com$/],
    ["ada guion bajo l arroba lovelace punto es", /^person1 arroba example punto com$/],
    ["ada punto l arroba lovelace punto es", /^person1 arroba example punto com$/],
    ["open https://shop.test/pay?token=abc now", /^open https:\/\/example\.com\/page-1 now$/],
    ["born on 1980-03-12", /^born on 1970-01-01$/],
    ["född 12/3/1980", /^född 1\/01?\/1970$|^född 01\/1\/1970$/],
    ["am 3. März 1980", /^am 1\. Januar 1970$/],
    ["el 3 de marzo de 1980", /^el 1 de enero de 1970$/],
    ["le 3 mars 1980", /^le 1 janvier 1970$/],
    ["March 3rd, 1980", /^January 1, 1970$/],
    ["at 12 Main Street", /^at 1 Example Street$/],
    ["in der Hauptstraße 12", /^in der Beispielstraße 1$/],
    ["på Storgatan 12", /^på Exempelgatan 1$/],
    ["au 12 rue de la Paix", /^au 1 rue Exemple$/],
    ["en Calle Mayor 12", /^en Calle Ejemplo 1$/],
  ])("%s", (text, cleaned) => {
    expect(dataOf([], {}).clean(text)).toMatch(cleaned);
  });

  it("keeps cards and accounts valid", () => {
    const data = dataOf([], {});
    const card = data.clean("4000 0566 5566 5556");
    expect(card).not.toBe("4000 0566 5566 5556");
    expect(isLuhn(card.replaceAll(" ", ""))).toBe(true);
    const iban = data.clean("DE75 5121 0800 1245 1261 99").replaceAll(" ", "");
    expect(iban).not.toBe("DE75512108001245126199");
    expect(isIban(iban)).toBe(true);
  });

  it.each(["on 2026-12-01 at 10:00", "für 12.5.2027, 3 Personen", "1,250.00 dollars", "12 people", "at 14:30"])(
    "leaves what is nobody's: %s",
    (text) => {
      expect(dataOf([], {}).clean(text)).toBe(text);
    },
  );

  it("takes out the contact's data, but no words of the flow itself", () => {
    const data = dataOf([], { plan: "gold", order: "ORD-77812", doctor: "Dr. Grünwald", floor: 3, total: 1299.5 });
    const text = "Your gold plan, order ord 77812 with Dr. Grunwald on floor 3 costs 1299.50.";
    const cleaned = data.clean(text);
    expect(cleaned).toContain("gold plan");
    expect(cleaned).toContain("floor 3");
    for (const word of ["77812", "Grunwald", "1299"]) expect(cleaned).not.toContain(word);
    expect(data.cleanValue({ order: "ORD-77812" })).toEqual({ order: expect.stringMatching(/^Sample/) });
  });

  it("takes a name that is also a word only where it is written as a name", () => {
    const data = dataOf(["Will Hope"], {});
    expect(data.clean("Will hopes that you will come")).toMatch(/^(?!Will)\w+ hopes that you will come$/);
  });

  it("never chooses a stand-in that somebody really has", () => {
    const data = dataOf(["Robin Example", "Kim"], {}, "person1@example.com and +12025550100");
    const cleaned = data.clean("Robin Example, Kim, person1@example.com, +12025550100, +12125551234");
    expect(cleaned).not.toMatch(/Robin|Example,|Kim|person1@|\+12025550100/);
  });
});

// Syllables that give names of all shapes, none of which is a word of the texts around it.
const syllable = fc.constantFrom("zor", "vik", "mál", "ßeg", "ñor", "qua", "jör", "xen", "ław", "hou");
const name = fc
  .array(syllable, { minLength: 2, maxLength: 4 })
  .map((parts) => parts.join(""))
  .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
const digits = fc.stringMatching(/^[2-9][0-9]{8,11}$/);
const contact = fc.record({
  first: name,
  last: name,
  phone: digits,
  email: fc.tuple(name, name).map(([a, b]) => `${a}.${b}@${b}.net`.toLowerCase()),
  order: fc.stringMatching(/^[A-Z]{2}-[0-9]{5}$/),
  street: name.map((word) => `4${word}gatan 17`.slice(1)),
});

const SENTENCES = [
  ({ first }: Person) => `Hello ${first}, how are you?`,
  ({ first, last }: Person) => `My name is ${first} ${last}.`,
  ({ last }: Person) => `Spreche ich mit Frau ${last.toUpperCase()}?`,
  ({ phone }: Person) => `Mi número es ${phone.slice(0, 3)} ${phone.slice(3, 6)}-${phone.slice(6)}, gracias.`,
  ({ phone }: Person) => `+${phone}`,
  ({ email }: Person) => `Mon adresse est ${email}.`,
  ({ email }: Person) => `It is ${email.replace("@", " at ").replaceAll(".", " dot ")}, yes.`,
  ({ order, first }: Person) => `Order ${order} of ${first.toLowerCase()}.`,
  ({ street }: Person) => `Jag bor på ${street}.`,
];
type Person = typeof contact extends fc.Arbitrary<infer One> ? One : never;

it("lets nothing of a contact through, in texts, values and keys", () => {
  const transcribedCall = fc.array(fc.constantFrom(...SENTENCES), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(contact, contact, transcribedCall, (person, other, sentences) => {
      const data = dataOf([`${person.first} ${person.last}`], { order: person.order, other: [{ at: other.order }] });
      const texts = sentences.map((sentence) => sentence(person));
      for (const text of texts) data.read(text);
      const value = { [person.email]: [person.phone, Number(person.phone)], note: `${other.order} ${person.street}` };
      const cleaned = `${texts.map((text) => data.clean(text)).join("\n")}\n${JSON.stringify(data.cleanValue(value))}`;
      const folded = fold(cleaned);
      const lost = [person.first, person.last, person.email, person.order, other.order, person.street, person.phone];
      for (const thing of lost) expect(folded).not.toContain(fold(thing));
      expect(cleaned.replaceAll(/\D/g, "")).not.toContain(person.phone);
    }),
    { numRuns: 120 },
  );
});

it("never fails, whatever the text, and cleans alike twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.jsonValue(), (text, value) => {
      const once = dataOf([text.slice(0, 20)], value, text);
      const twice = dataOf([text.slice(0, 20)], value, text);
      expect(once.clean(text)).toBe(twice.clean(text));
      expect(once.cleanValue(value)).toEqual(twice.cleanValue(value));
    }),
  );
});

function fold(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
}
