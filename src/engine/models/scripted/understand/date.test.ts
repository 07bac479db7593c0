import { describe, expect, it } from "vitest";
import { lexiconFor } from "#src/engine/models/scripted/lexicon.ts";
import { parseDate } from "./date.ts";
import { parseBareHour, parseTime } from "./time.ts";

// A Saturday.
const TODAY = "2026-11-21";

const DATES: [string, [string, string | undefined][]][] = [
  [
    "en-US",
    [
      ["2031-03-13", "2031-03-13"],
      ["2031-02-31", undefined],
      ["today is fine", "2026-11-21"],
      ["tomorrow", "2026-11-22"],
      ["the day after tomorrow", "2026-11-23"],
      ["Tuesday", "2026-11-24"],
      ["on saturday", "2026-11-28"],
      ["in three days", "2026-11-24"],
      ["in 2 weeks", "2026-12-05"],
      ["on the 5th of May", "2027-05-05"],
      ["May 5th, 1980", "1980-05-05"],
      ["the twenty-fifth of December", "2026-12-25"],
      ["December the third", "2026-12-03"],
      ["12/24/2026", "2026-12-24"],
      ["24/12/2026", "2026-12-24"],
      ["5/6", "2027-05-06"],
      ["February 29", "2028-02-29"],
      ["whenever you like", undefined],
      ["I may come", undefined],
      ["the 30th", "2026-11-30"],
      ["the fifth", "2026-12-05"],
      ["at the 3 o'clock slot", undefined],
      ["on the 31st", "2026-12-31"],
      ["on the twenty-first", "2026-11-21"],
      ["Monday the 30th", "2026-11-30"],
      ["Tuesday the 30th", undefined],
      ["the 31st of February", undefined],
      ["in a week", "2026-11-28"],
      ["a week from today", "2026-11-28"],
      ["three days from now", "2026-11-24"],
      ["a week from tomorrow", "2026-11-29"],
    ],
  ],
  ["en-GB", [["5/6", "2027-06-05"]]],
  [
    "es",
    [
      ["mañana por la mañana", "2026-11-22"],
      ["pasado mañana", "2026-11-23"],
      ["el martes", "2026-11-24"],
      ["el cinco de mayo", "2027-05-05"],
      ["El 2031-03-13, por favor.", "2031-03-13"],
      ["dentro de dos semanas", "2026-12-05"],
      ["dentro de una semana", "2026-11-28"],
      ["el 30", "2026-11-30"],
      ["a las 14:30", undefined],
    ],
  ],
  [
    "de",
    [
      ["übermorgen", "2026-11-23"],
      ["morgen um fünf", "2026-11-22"],
      ["am Dienstag", "2026-11-24"],
      ["am 5. Mai", "2027-05-05"],
      ["am fünften Mai 1980", "1980-05-05"],
      ["24.12.2026", "2026-12-24"],
      ["in drei Tagen", "2026-11-24"],
      ["in einer Woche", "2026-11-28"],
      ["am dreißigsten", "2026-11-30"],
    ],
  ],
  [
    "fr",
    [
      ["après-demain", "2026-11-23"],
      ["le 5 mai", "2027-05-05"],
      ["le premier janvier", "2027-01-01"],
      ["mardi", "2026-11-24"],
      ["le 30", "2026-11-30"],
      ["dans une semaine", "2026-11-28"],
    ],
  ],
  [
    "sv",
    [
      ["i morgon", "2026-11-22"],
      ["på tisdag", "2026-11-24"],
      ["den 5 maj", "2027-05-05"],
      ["om två veckor", "2026-12-05"],
      ["om en vecka", "2026-11-28"],
      ["den trettionde", "2026-11-30"],
    ],
  ],
];

describe.each(DATES)("dates in %s", (language, table) => {
  const calendar = { today: TODAY, monthFirst: language === "en-US" };
  it.each(table)("%s", (text, date) => expect(parseDate(text, lexiconFor(language), calendar)).toBe(date));
});

it("understands only full dates when nobody told the day", () => {
  const calendar = { today: undefined, monthFirst: true };
  expect(parseDate("tomorrow", lexiconFor("en"), calendar)).toBeUndefined();
  expect(parseDate("5th of May", lexiconFor("en"), calendar)).toBeUndefined();
  expect(parseDate("5th of May 2027", lexiconFor("en"), calendar)).toBe("2027-05-05");
});

const TIMES: [string, [string, string | undefined][]][] = [
  [
    "en",
    [
      ["at five", "17:00"],
      ["at 5 in the morning", "05:00"],
      ["at 9", "09:00"],
      ["half past two", "14:30"],
      ["quarter to one", "12:45"],
      ["twenty past three", "15:20"],
      ["twenty-five past ten", "10:25"],
      ["ten to nine", "08:50"],
      ["from ten to three", undefined],
      ["half five", "17:30"],
      ["5 pm", "17:00"],
      ["12 am", "00:00"],
      ["At 14:30.", "14:30"],
      ["05:15", "05:15"],
      ["27:90", undefined],
      ["at noon", "12:00"],
      ["tomorrow", undefined],
    ],
  ],
  [
    "es",
    [
      ["a las cinco y media", "17:30"],
      ["a las 9 de la noche", "21:00"],
      ["a las cinco", "17:00"],
      ["a las tres y veinte", "15:20"],
      ["a las nueve menos diez", "08:50"],
    ],
  ],
  [
    "de",
    [
      ["halb sechs", "17:30"],
      ["zwanzig nach drei", "15:20"],
      ["zehn vor neun", "08:50"],
      ["neun Uhr zwanzig", "09:20"],
      ["um 14 Uhr", "14:00"],
      ["morgen um fünf", "17:00"],
      ["Viertel nach acht abends", "20:15"],
    ],
  ],
  [
    "fr",
    [
      ["à cinq heures", "17:00"],
      ["à 17h30", "17:30"],
      ["neuf heures et demie", "09:30"],
      ["trois heures vingt", "15:20"],
      ["neuf heures moins dix", "08:50"],
    ],
  ],
  [
    "sv",
    [
      ["klockan fem", "17:00"],
      ["halv tre", "14:30"],
      ["tjugo över tre", "15:20"],
      ["tio i nio", "08:50"],
      ["kl 9", "09:00"],
    ],
  ],
];

describe.each(TIMES)("times in %s", (language, table) => {
  it.each(table)("%s", (text, time) => expect(parseTime(text, lexiconFor(language))).toBe(time));
});

it("takes a bare hour only where it is all that was said", () => {
  expect(parseBareHour("ten", lexiconFor("en"))).toBe("10:00");
  expect(parseBareHour("25", lexiconFor("en"))).toBeUndefined();
  expect(parseBareHour("there are ten of us coming over", lexiconFor("en"))).toBeUndefined();
});
