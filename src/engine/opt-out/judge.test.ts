import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { isStopKeyword, judgeOptOut, languageOfQuestion, optOutPhrases, readOptOutAnswer } from "./judge.ts";

const FOLDER = new URL("held-out/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

/** Reads the sentences of a language: "+" opts out, "-" only looks alike. */
function read(file: string, sign: "+" | "-"): string[] {
  const lines = readFileSync(new URL(file, FOLDER), "utf8").split("\n");
  return lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(2));
}

describe.each(FILES)("sentences of %s, in a conversation planned in English", (file) => {
  it("every opt-out is certain or asked back", () => {
    const missed = read(file, "+").filter(
      (text) => !["CERTAIN", "UNCERTAIN"].includes(judgeOptOut(text, "en-US").verdict),
    );
    expect(missed).toEqual([]);
  });

  it("nothing that only looks alike puts a number on the list", () => {
    const listed = read(file, "-").filter((text) => judgeOptOut(text, "en-US").verdict === "CERTAIN");
    expect(listed).toEqual([]);
  });

  it("few look-alikes are asked about, and the goodbye is in the person's language", () => {
    const alike = read(file, "-");
    const asked = alike.filter((text) => judgeOptOut(text, "en-US").verdict === "UNCERTAIN");
    expect(asked.length).toBeLessThanOrEqual(Math.ceil(alike.length / 20));
    const certain = read(file, "+").map((text) => judgeOptOut(text, "en-US"));
    const own = certain.filter(({ language }) => language === file.slice(0, 2));
    expect(own.length / certain.length).toBeGreaterThan(0.75);
  });
});

test.each([
  ["unsubscribe me from the newsletter but keep the appointment", "UNCERTAIN"],
  ["Stop calling me before nine in the morning", "NONE"],
  ["Your calls are a nuisance, I have a lawyer", "UNCERTAIN"],
  ["My husband always tells them to never call again, but I like a chat", "NONE"],
  ["Hi, if you record your name and reason for calling, I'll see if this person is available.", "NONE"],
  ["Yes, Tuesday at ten", "NONE"],
  ["One moment, I will get James Carter for you. Hello, this is James Carter.", "NONE"],
  ["", "NONE"],
  ["\u0000\ud800", "NONE"],
  ["Stop calling. ".repeat(10_000), "CERTAIN"],
  ["please no stop now ".repeat(500), "UNCERTAIN"],
  ["my the my the told me ".repeat(500), "NONE"],
  ["no me llame nunca mas nunca ".repeat(500), "CERTAIN"],
])("%j is %s", (text, verdict) => {
  expect(judgeOptOut(text.slice(0, 60_000)).verdict).toBe(verdict);
});

test("words of a wish without its sense list nobody", () => {
  expect(judgeOptOut("don't ever please you even dare keep ".repeat(500)).verdict).not.toBe("CERTAIN");
});

test.each([
  ["Yeah, no", false],
  ["Yes please", true],
  ["No, no, you can call", false],
  ["No, don't call me again", true],
  ["No... well, yes", true],
  ["Ja", true],
  ["Purple elephants", null],
  ["No, please call again", null],
  ["No, just unsubscribe me from the newsletter", false],
  ["No, I don't want you to stop calling", false],
  ["I don't want you to stop calling me", false],
  ["Don't take me off the list", false],
  ["If you don't stop calling me I will sue you", true],
  ["Why don't you stop calling me", true],
  ["Nein, ich möchte nicht, dass Sie aufhören anzurufen", false],
  ["Nein, rufen Sie nicht mehr an", true],
  ["No, no quiero que dejen de llamarme", false],
  ["No, no quiero que me llamen más", true],
  ["Non, n'arrêtez pas de m'appeler", false],
  ["Vous n'arrêtez pas de m'appeler, supprimez-moi de la liste", true],
  ["Nee, ik wil niet dat jullie stoppen met bellen", false],
  ["Nee, ik wil niet dat jullie mij nog bellen", true],
  ["No, non voglio che smettiate di chiamarmi", false],
  ["Não, não quero que parem de ligar", false],
  ["Nej, jag vill inte att ni slutar ringa", false],
  ["Nej, jeg vil ikke have, at I holder op med at ringe", false],
  ["Nei, jeg vil ikke at dere skal slutte å ringe", false],
  ["Nie, nie chcę, żebyście przestali dzwonić", false],
  ["Ne, nechci, abyste mi přestali volat", false],
  ["En halua, että lopetatte soittamisen", false],
  ["Hayır, aramayı bırakmanızı istemiyorum", false],
])("the answer %j to whether we shall stop is %s", (text, expected) => {
  expect(readOptOutAnswer(text, "en")).toBe(expected);
});

test.each([
  ["STOP", true],
  ["remove", true],
  ["Opt out", true],
  ["revoke", true],
  ["arrêt", true],
  ["stop by at nine", false],
  ["", false],
])("the whole message %j is a stop word: %s", (text, expected) => {
  expect(isStopKeyword(text)).toBe(expected);
});

test("a question is known again by its words, in every language", () => {
  for (const language of ["en", "de", "tr", "fi-FI"])
    expect(languageOfQuestion(optOutPhrases(language).ask)).toBe(language.slice(0, 2));
  expect(languageOfQuestion("Shall we?")).toBeNull();
  expect(optOutPhrases("xx")).toEqual(optOutPhrases("en"));
});
