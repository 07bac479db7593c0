import { describe, expect, test } from "vitest";
import { isBackchannel, judgeText } from "./turn-text.ts";
import { turnWordsOf } from "./turn-words.ts";

describe("a text at a pause", () => {
  test.each([
    ["en", "", "EMPTY"],
    ["en", " ... ", "EMPTY"],
    ["en", "yes", "COMPLETE"],
    ["en", "Yes, please.", "COMPLETE"],
    ["en", "That's right", "COMPLETE"],
    ["en", "I would like to come on Monday.", "COMPLETE"],
    ["en", "I would like to come on Monday", "NEUTRAL"],
    ["en", "I would like to come on", "UNFINISHED"],
    ["en", "I would like to come, and.", "UNFINISHED"],
    ["en", "because", "UNFINISHED"],
    ["en", "Um.", "UNFINISHED"],
    ["en", "well, I was thinking,", "UNFINISHED"],
    ["en", "I was thinking...", "UNFINISHED"],
    ["en", "my number is five five five", "HALF_NUMBER"],
    ["en", "My number is 555.", "HALF_NUMBER"],
    ["en", "555 12", "HALF_NUMBER"],
    ["en", "five five five one two three four", "NEUTRAL"],
    ["en", "555-1234", "NEUTRAL"],
    ["en", "202-555-0199", "COMPLETE"],
    ["en", "there are 20", "NEUTRAL"],
    ["en", "in 1984", "NEUTRAL"],
    ["en", "there are three", "NEUTRAL"],
    ["es", "Sí.", "COMPLETE"],
    ["es", "quiero ir porque", "UNFINISHED"],
    ["es", "el lunes a las", "UNFINISHED"],
    ["es", "mi número es seis cero dos", "HALF_NUMBER"],
    ["de", "Ja, bitte", "COMPLETE"],
    ["de", "ich komme am Montag und", "UNFINISHED"],
    ["de", "ähm", "UNFINISHED"],
    ["de", "null eins fünf", "HALF_NUMBER"],
    ["de", "Ich komme am Montag", "NEUTRAL"],
    ["fr", "C’est ça", "COMPLETE"],
    ["fr", "je viens lundi parce que", "UNFINISHED"],
    ["fr", "euh", "UNFINISHED"],
    ["fr", "zéro six douze", "NEUTRAL"],
    ["fr", "zéro six", "HALF_NUMBER"],
    ["sv", "Det stämmer", "COMPLETE"],
    ["sv", "jag kommer på måndag eftersom", "UNFINISHED"],
    ["sv", "sju åtta nio", "HALF_NUMBER"],
    ["sv-SE", "ja tack", "COMPLETE"],
    ["xx", "and", "UNFINISHED"],
  ])("%s: %j is %s", (language, text, state) => {
    expect(judgeText(text, turnWordsOf(language))).toBe(state);
  });

  test.each([
    ["en", "Mhm.", true],
    ["en", "uh-huh", true],
    ["en", "okay, right", true],
    ["en", "okay stop", false],
    ["en", "no", false],
    ["en", "yes yes yes yes", false],
    ["en", "", false],
    ["es", "sí", true],
    ["es", "sí, pero", false],
    ["de", "ja", true],
    ["de", "ach so", true],
    ["de", "nein", false],
    ["fr", "d'accord", true],
    ["fr", "attendez", false],
    ["sv", "just det", true],
    ["sv", "vänta", false],
  ])("%s: %j is a backchannel: %s", (language, text, expected) => {
    expect(isBackchannel(text, turnWordsOf(language))).toBe(expected);
  });
});
