import { describe, expect, it } from "vitest";
import { lexiconFor } from "#src/models/scripted/lexicon.ts";
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
    ],
  ],
  [
    "fr",
    [
      ["après-demain", "2026-11-23"],
      ["le 5 mai", "2027-05-05"],
      ["le premier janvier", "2027-01-01"],
      ["mardi", "2026-11-24"],
    ],
  ],
  [
    "sv",
    [
      ["i morgon", "2026-11-22"],
      ["på tisdag", "2026-11-24"],
      ["den 5 maj", "2027-05-05"],
      ["om två veckor", "2026-12-05"],
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
    ],
  ],
  [
    "de",
    [
      ["halb sechs", "17:30"],
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
    ],
  ],
  [
    "sv",
    [
      ["klockan fem", "17:00"],
      ["halv tre", "14:30"],
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
