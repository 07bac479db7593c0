import type { JsonSchema } from "#src/engine/models/models.ts";
import { one, type Wording } from "./one-answer.ts";
import type { Script } from "./script.ts";

const COMING: JsonSchema = { type: "boolean", description: "Kommen Sie zu Ihrem Termin?" };
const PEOPLE: JsonSchema = { type: "integer", minimum: 1, maximum: 20, description: "Wie viele Personen kommen?" };
const DAY: JsonSchema = { type: "string", format: "date", description: "Welcher Tag passt Ihnen?" };
const TIME: JsonSchema = { type: "string", format: "time", description: "Um wie viel Uhr passt es Ihnen?" };
const BUDGET: JsonSchema = { type: "number", minimum: 0, description: "Wie viel Euro möchten Sie ausgeben?" };
const PAYMENT: JsonSchema = {
  type: "string",
  enum: ["Rechnung", "Kreditkarte", "bar"],
  description: "Wie möchten Sie bezahlen?",
};
const NAME: JsonSchema = { type: "string", description: "Wie ist Ihr vollständiger Name?" };
const PHONE: JsonSchema = { type: "string", description: "Unter welcher Telefonnummer erreichen wir Sie?" };

const WORDINGS: Wording[] = [
  ["coming", COMING, "Ja, ich komme.", true],
  ["coming", COMING, "Na klar!", true],
  ["coming", COMING, "Selbstverständlich.", true],
  ["coming", COMING, "Das passt leider gar nicht.", false],
  ["coming", COMING, "Nee, da kann ich nicht.", false],
  ["coming", COMING, "Ich muss leider absagen.", false],
  ["people", PEOPLE, "Wir kommen zu dritt.", 3],
  ["people", PEOPLE, "Nur ich.", 1],
  ["people", PEOPLE, "Ein Dutzend.", 12],
  ["people", PEOPLE, "Meine Frau und ich.", 2],
  ["people", PEOPLE, "Siebzehn.", 17],
  ["people", PEOPLE, "Nicht zwei, sondern drei.", 3],
  ["day", DAY, "Morgen.", "2026-11-22"],
  ["day", DAY, "Übermorgen, bitte.", "2026-11-23"],
  ["day", DAY, "Nächsten Dienstag.", "2026-11-24"],
  ["day", DAY, "Am dritten Dezember.", "2026-12-03"],
  ["day", DAY, "Am 3.12.", "2026-12-03"],
  ["day", DAY, "Heute in einer Woche.", "2026-11-28"],
  ["day", DAY, "Am Montag geht es nicht, lieber Mittwoch.", "2026-11-25"],
  ["day", DAY, "Wie wäre es mit Freitag?", "2026-11-27"],
  ["day", DAY, "An Heiligabend.", "2026-12-24"],
  ["time", TIME, "Um halb drei.", "14:30:00Z"],
  ["time", TIME, "Viertel vor fünf.", "16:45:00Z"],
  ["time", TIME, "Um 14 Uhr 15.", "14:15:00Z"],
  ["time", TIME, "Morgens um acht.", "08:00:00Z"],
  ["time", TIME, "Gegen Mittag.", "12:00:00Z"],
  ["budget", BUDGET, "Zweihundertfünfzig Euro.", 250],
  ["budget", BUDGET, "1.200 Euro", 1200],
  ["budget", BUDGET, "Höchstens neunundneunzig.", 99],
  ["budget", BUDGET, "Zwölf Euro fünfzig.", 12.5],
  ["payment", PAYMENT, "Mit Visa.", "Kreditkarte"],
  ["payment", PAYMENT, "Auf Rechnung, bitte.", "Rechnung"],
  ["payment", PAYMENT, "Nicht bar, mit Karte.", "Kreditkarte"],
  ["payment", PAYMENT, "Das Letzte.", "bar"],
  ["telefon", PHONE, "null eins sieben sechs, eins zwei drei, vier fünf sechs sieben", "01761234567"],
];

/** German. */
export const GERMAN: Script[] = [
  ...WORDINGS.map((wording) => one("de-DE", "Hallo?", wording)),
  {
    title: "a plain conversation in German",
    language: "de-DE",
    asks: { coming: COMING, people: PEOPLE, name: NAME },
    said: ["Hallo?", "Ja, gerne.", "Zu zweit.", "Mein Name ist Anna Berg."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 2, name: "Anna Berg" },
      inOrder: ["Kommen Sie", "Wie viele Personen", "Wie ist Ihr", "auf Wiederhören"],
    },
  },
  {
    title: "two questions later, nein, ich meinte Dienstag changes the day",
    language: "de-DE",
    asks: { day: DAY, people: PEOPLE, payment: PAYMENT },
    said: ["Hallo?", "Am Montag.", "Drei.", "Entschuldigung, ich meinte Dienstag.", "Bar."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-24", people: 3, payment: "bar" },
      inOrder: ["AGENT: Danke, das habe ich geändert. Wie möchten Sie bezahlen"],
    },
  },
  {
    title: "several German answers in one breath",
    language: "de-DE",
    asks: { coming: COMING, people: PEOPLE, day: DAY },
    said: ["Hallo?", "Ja, wir kommen mit vier Personen am Freitag."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 4, day: "2026-11-27" },
      asked: ["Wie viele Personen", 0],
    },
  },
  {
    title: "wie bitte? has the question repeated",
    language: "de-DE",
    asks: { people: PEOPLE },
    said: ["Hallo?", "Wie bitte?", "Können Sie das wiederholen?", "Vier."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 4 }, asked: ["Wie viele Personen", 3] },
  },
  {
    title: "rufen Sie mich morgen um fünf an is scheduled",
    language: "de-DE",
    asks: { coming: COMING },
    callback: "ok: geplant",
    said: ["Hallo?", "Gerade schlecht, rufen Sie mich morgen um fünf an."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: {},
      calls: [
        ["schedule_callback", { at: "2026-11-22T17:00", note: "Gerade schlecht, rufen Sie mich morgen um fünf an." }],
      ],
      inOrder: ["AGENT: Gut, wir rufen Sie dann an.", "Auf Wiederhören"],
    },
  },
  {
    title: "rufen Sie mich nie wieder an opts out",
    language: "de-DE",
    asks: { coming: COMING },
    said: ["Hallo?", "Rufen Sie mich nie wieder an!"],
    expected: { end: "CUSTOMER_OPTED_OUT", fields: {}, calls: [["add_to_do_not_call", {}]], inOrder: ["Sperrliste"] },
  },
  {
    title: "falsch verbunden ends kindly",
    language: "de-DE",
    asks: { coming: COMING },
    said: ["Da sind Sie falsch verbunden."],
    expected: { end: "AGENT_ENDED_CALL", fields: {}, inOrder: ["Entschuldigen Sie das Versehen"] },
  },
  {
    title: "mit wem spreche ich? is answered",
    language: "de-DE",
    flow: { prompt: "Du bist der Assistent der {{ company }}." },
    asks: { coming: COMING },
    said: ["Hallo?", "Mit wem spreche ich?", "Ach so. Ja, ich komme."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      inOrder: ["AGENT: Hier ist der automatische Assistent von Green Street Clinic. Kommen Sie"],
    },
  },
  {
    title: "a wish for a human in German is passed to one",
    language: "de-DE",
    asks: { coming: COMING },
    transferTo: ["Empfang"],
    said: ["Hallo?", "Ich möchte mit einem Menschen sprechen."],
    expected: { end: "AGENT_TRANSFERRED_CALL", fields: {}, calls: [["transfer_call", { target: "Empfang" }]] },
  },
];
