import type { JsonSchema } from "#src/engine/models/models.ts";
import { one, type Wording } from "./one-answer.ts";
import type { Script } from "./script.ts";

const COMING: JsonSchema = { type: "boolean", description: "Kommer du till din bokade tid?" };
const PEOPLE: JsonSchema = { type: "integer", minimum: 1, maximum: 20, description: "Hur många personer kommer?" };
const DAY: JsonSchema = { type: "string", format: "date", description: "Vilken dag passar dig?" };
const TIME: JsonSchema = { type: "string", format: "time", description: "Vilken tid passar dig?" };
const BUDGET: JsonSchema = { type: "number", minimum: 0, description: "Hur många kronor vill du lägga?" };
const PAYMENT: JsonSchema = {
  type: "string",
  enum: ["kort", "faktura", "kontanter"],
  description: "Hur vill du betala?",
};
const NAME: JsonSchema = { type: "string", description: "Vad är ditt fullständiga namn?" };
const PHONE: JsonSchema = { type: "string", description: "Vilket telefonnummer når vi dig på?" };

const WORDINGS: Wording[] = [
  ["coming", COMING, "Ja, det gör jag.", true],
  ["coming", COMING, "Självklart!", true],
  ["coming", COMING, "Jajamän.", true],
  ["coming", COMING, "Nej, tyvärr.", false],
  ["coming", COMING, "Jag måste avboka.", false],
  ["coming", COMING, "Det går inte.", false],
  ["people", PEOPLE, "Vi blir tre.", 3],
  ["people", PEOPLE, "Bara jag.", 1],
  ["people", PEOPLE, "Jag och min fru.", 2],
  ["people", PEOPLE, "Ett dussin.", 12],
  ["people", PEOPLE, "Sjutton.", 17],
  ["day", DAY, "I morgon.", "2026-11-22"],
  ["day", DAY, "I övermorgon.", "2026-11-23"],
  ["day", DAY, "På tisdag.", "2026-11-24"],
  ["day", DAY, "Den tredje december.", "2026-12-03"],
  ["day", DAY, "Den 3/12", "2026-12-03"],
  ["day", DAY, "Om två veckor.", "2026-12-05"],
  ["day", DAY, "Inte måndag, hellre onsdag.", "2026-11-25"],
  ["day", DAY, "På julafton.", "2026-12-24"],
  ["time", TIME, "Halv tre.", "14:30:00Z"],
  ["time", TIME, "Kvart i fem.", "16:45:00Z"],
  ["time", TIME, "Klockan tio på förmiddagen.", "10:00:00Z"],
  ["time", TIME, "14.15", "14:15:00Z"],
  ["time", TIME, "Klockan åtta på kvällen.", "20:00:00Z"],
  ["budget", BUDGET, "Tvåhundrafemtio kronor.", 250],
  ["budget", BUDGET, "1 500 kronor", 1500],
  ["budget", BUDGET, "Runt tusen.", 1000],
  ["payment", PAYMENT, "Med Visa.", "kort"],
  ["payment", PAYMENT, "Kontant.", "kontanter"],
  ["payment", PAYMENT, "Den andra.", "faktura"],
  ["telefon", PHONE, "noll sju noll, ett två tre, fyra fem, sex sju", "0701234567"],
];

/** Swedish. */
export const SWEDISH: Script[] = [
  ...WORDINGS.map((wording) => one("sv-SE", "Hallå?", wording)),
  {
    title: "a plain conversation in Swedish",
    language: "sv-SE",
    asks: { coming: COMING, people: PEOPLE, name: NAME },
    said: ["Hallå?", "Ja, gärna.", "Vi blir fyra.", "Jag heter Erik Lind."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 4, name: "Erik Lind" },
      inOrder: ["Kommer du", "Hur många personer", "Vad är ditt", "hej då"],
    },
  },
  {
    title: "jag menade tisdag changes the day two questions later",
    language: "sv-SE",
    asks: { day: DAY, people: PEOPLE, payment: PAYMENT },
    said: ["Hallå?", "På måndag.", "Tre.", "Förlåt, jag menade tisdag.", "Kort."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-24", people: 3, payment: "kort" },
      inOrder: ["AGENT: Tack, jag har ändrat det. Hur vill du betala"],
    },
  },
  {
    title: "several Swedish answers in one breath",
    language: "sv-SE",
    asks: { coming: COMING, people: PEOPLE, day: DAY },
    said: ["Hallå?", "Ja, vi kommer fyra personer på fredag."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 4, day: "2026-11-27" },
      asked: ["Hur många personer", 0],
    },
  },
  {
    title: "va? and kan du upprepa have the question repeated",
    language: "sv-SE",
    asks: { people: PEOPLE },
    said: ["Hallå?", "Va?", "Kan du upprepa?", "Fem."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 5 }, asked: ["Hur många personer", 3] },
  },
  {
    title: "ring mig i morgon klockan fem is scheduled",
    language: "sv-SE",
    asks: { coming: COMING },
    callback: "ok: klart",
    said: ["Hallå?", "Jag kan inte prata nu, ring mig i morgon klockan fem."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: {},
      calls: [
        [
          "schedule_callback",
          { at: "2026-11-22T17:00", note: "Jag kan inte prata nu, ring mig i morgon klockan fem." },
        ],
      ],
      inOrder: ["AGENT: Bra, då ringer vi dig då.", "Hej då"],
    },
  },
  {
    title: "ring mig aldrig mer opts out",
    language: "sv-SE",
    asks: { coming: COMING },
    said: ["Hallå?", "Ring mig aldrig mer."],
    expected: { end: "CUSTOMER_OPTED_OUT", fields: {}, calls: [["add_to_do_not_call", {}]] },
  },
  {
    title: "fel nummer ends kindly",
    language: "sv-SE",
    asks: { coming: COMING },
    said: ["Du har fel nummer."],
    expected: { end: "AGENT_ENDED_CALL", fields: {}, inOrder: ["Förlåt misstaget"] },
  },
  {
    title: "vem är det? is answered",
    language: "sv-SE",
    flow: { prompt: "Du är assistent hos {{ company }}." },
    asks: { coming: COMING },
    said: ["Hallå?", "Vem är det?", "Jaha, okej. Ja."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      inOrder: ["AGENT: Det här är den automatiska assistenten från Green Street Clinic. Kommer du"],
    },
  },
  {
    title: "a wish for a human in Swedish is passed to one",
    language: "sv-SE",
    asks: { coming: COMING },
    transferTo: ["receptionen"],
    said: ["Hallå?", "Jag vill prata med en människa."],
    expected: { end: "AGENT_TRANSFERRED_CALL", fields: {}, calls: [["transfer_call", { target: "receptionen" }]] },
  },
];
