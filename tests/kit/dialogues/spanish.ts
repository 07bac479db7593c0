import type { JsonSchema } from "#src/engine/models/models.ts";
import { one, type Wording } from "./one-answer.ts";
import type { Script } from "./script.ts";

const COMING: JsonSchema = { type: "boolean", description: "¿Vendrá a su cita?" };
const PEOPLE: JsonSchema = { type: "integer", minimum: 1, maximum: 20, description: "¿Cuántas personas vendrán?" };
const DAY: JsonSchema = { type: "string", format: "date", description: "¿Qué día le viene bien?" };
const TIME: JsonSchema = { type: "string", format: "time", description: "¿A qué hora le viene bien?" };
const BUDGET: JsonSchema = { type: "number", minimum: 0, description: "¿Cuántos euros quiere gastar?" };
const PAYMENT: JsonSchema = {
  type: "string",
  enum: ["tarjeta", "transferencia", "efectivo"],
  description: "¿Cómo quiere pagar?",
};
const NAME: JsonSchema = { type: "string", description: "¿Cuál es su nombre completo?" };
const PHONE: JsonSchema = { type: "string", description: "¿En qué número de teléfono le localizamos?" };

const WORDINGS: Wording[] = [
  ["coming", COMING, "Sí, claro.", true],
  ["coming", COMING, "Por supuesto que iré.", true],
  ["coming", COMING, "Allí estaré.", true],
  ["coming", COMING, "No, no puedo.", false],
  ["coming", COMING, "Qué va, imposible.", false],
  ["coming", COMING, "Lo siento, tengo que cancelar.", false],
  ["people", PEOPLE, "Somos tres.", 3],
  ["people", PEOPLE, "Solo yo.", 1],
  ["people", PEOPLE, "Mi mujer y yo.", 2],
  ["people", PEOPLE, "Una docena.", 12],
  ["people", PEOPLE, "Dieciséis personas.", 16],
  ["people", PEOPLE, "Un par.", 2],
  ["day", DAY, "Mañana.", "2026-11-22"],
  ["day", DAY, "Pasado mañana.", "2026-11-23"],
  ["day", DAY, "El martes que viene.", "2026-11-24"],
  ["day", DAY, "El tres de diciembre.", "2026-12-03"],
  ["day", DAY, "El 3/12", "2026-12-03"],
  ["day", DAY, "Dentro de dos semanas.", "2026-12-05"],
  ["day", DAY, "El lunes no, mejor el miércoles.", "2026-11-25"],
  ["day", DAY, "¿Qué tal el viernes?", "2026-11-27"],
  ["time", TIME, "A las dos y media.", "14:30:00Z"],
  ["time", TIME, "A las cinco menos cuarto.", "16:45:00Z"],
  ["time", TIME, "A las diez de la mañana.", "10:00:00Z"],
  ["time", TIME, "A las ocho de la tarde.", "20:00:00Z"],
  ["time", TIME, "Al mediodía.", "12:00:00Z"],
  ["budget", BUDGET, "Doscientos cincuenta euros.", 250],
  ["budget", BUDGET, "1.500 euros", 1500],
  ["budget", BUDGET, "Unos mil.", 1000],
  ["payment", PAYMENT, "Con la Visa.", "tarjeta"],
  ["payment", PAYMENT, "En efectivo.", "efectivo"],
  ["payment", PAYMENT, "La segunda opción.", "transferencia"],
  ["telefono", PHONE, "seis uno dos, treinta y cuatro, cincuenta y seis, setenta y ocho", "612345678"],
];

/** Spanish. */
export const SPANISH: Script[] = [
  ...WORDINGS.map((wording) => one("es-ES", "¿Diga?", wording)),
  {
    title: "a plain conversation in Spanish",
    language: "es-ES",
    asks: { coming: COMING, people: PEOPLE, name: NAME },
    said: ["¿Diga?", "Sí, allí estaré.", "Cuatro personas.", "Me llamo Ana Ruiz."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 4, name: "Ana Ruiz" },
      inOrder: ["¿Vendrá", "¿Cuántas personas", "¿Cuál es su nombre", "adiós"],
    },
  },
  {
    title: "quería decir el martes changes the day two questions later",
    language: "es-ES",
    asks: { day: DAY, people: PEOPLE, payment: PAYMENT },
    said: ["¿Diga?", "El lunes.", "Tres.", "Perdone, quería decir el martes.", "Tarjeta."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-24", people: 3, payment: "tarjeta" },
      inOrder: ["AGENT: Gracias, lo he cambiado. ¿Cómo quiere pagar"],
    },
  },
  {
    title: "several Spanish answers in one breath",
    language: "es-ES",
    asks: { coming: COMING, people: PEOPLE, day: DAY },
    said: ["¿Diga?", "Sí, iremos cuatro personas el viernes."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 4, day: "2026-11-27" },
      asked: ["¿Cuántas personas", 0],
    },
  },
  {
    title: "¿cómo dice? has the question repeated",
    language: "es-ES",
    asks: { people: PEOPLE },
    said: ["¿Diga?", "¿Cómo dice?", "¿Puede repetirlo?", "Cinco."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 5 }, asked: ["¿Cuántas personas", 3] },
  },
  {
    title: "llámeme mañana a las cinco is scheduled",
    language: "es-ES",
    asks: { coming: COMING },
    callback: "ok: hecho",
    said: ["¿Diga?", "Ahora no puedo hablar, llámeme mañana a las cinco."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: {},
      calls: [
        ["schedule_callback", { at: "2026-11-22T17:00", note: "Ahora no puedo hablar, llámeme mañana a las cinco." }],
      ],
      inOrder: ["AGENT: Muy bien, le llamaremos entonces.", "Adiós"],
    },
  },
  {
    title: "llámeme más tarde is asked when",
    language: "es-ES",
    asks: { coming: COMING },
    callback: "ok: hecho",
    said: ["¿Diga?", "Llámeme más tarde.", "El lunes por la tarde."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: {},
      calls: [["schedule_callback", { at: "2026-11-23T15:00", note: "Llámeme más tarde." }]],
      inOrder: ["AGENT: ¿Qué día y a qué hora", "PERSON: El lunes"],
    },
  },
  {
    title: "no me llame más opts out",
    language: "es-ES",
    asks: { coming: COMING },
    said: ["¿Diga?", "No me llame más, por favor."],
    expected: { end: "CUSTOMER_OPTED_OUT", fields: {}, calls: [["add_to_do_not_call", {}]] },
  },
  {
    title: "se ha equivocado de número ends kindly",
    language: "es-ES",
    asks: { coming: COMING },
    said: ["Se ha equivocado de número."],
    expected: { end: "AGENT_ENDED_CALL", fields: {}, inOrder: ["Disculpe el error"] },
  },
  {
    title: "no soy Anna is the wrong person",
    language: "es-ES",
    asks: { coming: COMING },
    said: ["No soy Anna."],
    expected: { end: "AGENT_ENDED_CALL", fields: {}, inOrder: ["Disculpe el error"], asked: ["¿Vendrá", 0] },
  },
  {
    title: "¿con quién hablo? is answered",
    language: "es-ES",
    flow: { prompt: "Eres el asistente de {{ company }}." },
    asks: { coming: COMING },
    said: ["¿Diga?", "¿Con quién hablo?", "Ah, vale, sí."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      inOrder: ["AGENT: Soy el asistente automático de Green Street Clinic. ¿Vendrá"],
    },
  },
  {
    title: "a wish for a person in Spanish is passed to one",
    language: "es-ES",
    asks: { coming: COMING },
    transferTo: ["recepción"],
    said: ["¿Diga?", "Quiero hablar con una persona."],
    expected: { end: "AGENT_TRANSFERRED_CALL", fields: {}, calls: [["transfer_call", { target: "recepción" }]] },
  },
];
