import type { JsonSchema } from "#src/engine/models/models.ts";
import { one, type Wording } from "./one-answer.ts";
import type { Script } from "./script.ts";

const COMING: JsonSchema = { type: "boolean", description: "Viendrez-vous à votre rendez-vous ?" };
const PEOPLE: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: 20,
  description: "Combien de personnes viendront ?",
};
const DAY: JsonSchema = { type: "string", format: "date", description: "Quel jour vous convient ?" };
const TIME: JsonSchema = { type: "string", format: "time", description: "À quelle heure souhaitez-vous venir ?" };
const BUDGET: JsonSchema = { type: "number", minimum: 0, description: "Combien d'euros souhaitez-vous dépenser ?" };
const PAYMENT: JsonSchema = {
  type: "string",
  enum: ["carte", "virement", "espèces"],
  description: "Comment souhaitez-vous payer ?",
};
const NAME: JsonSchema = { type: "string", description: "Quel est votre nom complet ?" };
const PHONE: JsonSchema = { type: "string", description: "À quel numéro de téléphone peut-on vous joindre ?" };

const WORDINGS: Wording[] = [
  ["coming", COMING, "Oui, bien sûr.", true],
  ["coming", COMING, "Tout à fait.", true],
  ["coming", COMING, "Je serai là.", true],
  ["coming", COMING, "Non, je ne peux pas.", false],
  ["coming", COMING, "Malheureusement, je dois annuler.", false],
  ["coming", COMING, "Bien sûr que non.", false],
  ["people", PEOPLE, "Nous serons trois.", 3],
  ["people", PEOPLE, "Juste moi.", 1],
  ["people", PEOPLE, "Ma femme et moi.", 2],
  ["people", PEOPLE, "Une douzaine.", 12],
  ["people", PEOPLE, "Dix-sept.", 17],
  ["day", DAY, "Demain.", "2026-11-22"],
  ["day", DAY, "Après-demain.", "2026-11-23"],
  ["day", DAY, "Mardi prochain.", "2026-11-24"],
  ["day", DAY, "Le trois décembre.", "2026-12-03"],
  ["day", DAY, "Le 3/12", "2026-12-03"],
  ["day", DAY, "Lundi en huit.", "2026-11-30"],
  ["day", DAY, "Dans deux semaines.", "2026-12-05"],
  ["day", DAY, "Pas lundi, plutôt mercredi.", "2026-11-25"],
  ["day", DAY, "À Noël.", "2026-12-25"],
  ["time", TIME, "À deux heures et demie.", "14:30:00Z"],
  ["time", TIME, "À cinq heures moins le quart.", "16:45:00Z"],
  ["time", TIME, "À 14h15", "14:15:00Z"],
  ["time", TIME, "À dix heures du matin.", "10:00:00Z"],
  ["time", TIME, "À midi.", "12:00:00Z"],
  ["budget", BUDGET, "Quatre-vingt-dix euros.", 90],
  ["budget", BUDGET, "Mille deux cents.", 1200],
  ["budget", BUDGET, "Soixante-quinze euros.", 75],
  ["payment", PAYMENT, "Avec ma Visa.", "carte"],
  ["payment", PAYMENT, "En liquide.", "espèces"],
  ["payment", PAYMENT, "La deuxième.", "virement"],
  ["telephone", PHONE, "zéro six, douze, trente-quatre, cinquante-six, soixante-dix-huit", "0612345678"],
];

/** French. */
export const FRENCH: Script[] = [
  ...WORDINGS.map((wording) => one("fr-FR", "Allô ?", wording)),
  {
    title: "a plain conversation in French",
    language: "fr-FR",
    asks: { coming: COMING, people: PEOPLE, name: NAME },
    said: ["Allô ?", "Oui, avec plaisir.", "Nous serons quatre.", "Je m'appelle Claire Moreau."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 4, name: "Claire Moreau" },
      inOrder: ["Viendrez-vous", "Combien de personnes", "Quel est votre nom", "au revoir"],
    },
  },
  {
    title: "je voulais dire mardi changes the day two questions later",
    language: "fr-FR",
    asks: { day: DAY, people: PEOPLE, payment: PAYMENT },
    said: ["Allô ?", "Lundi.", "Trois.", "Pardon, je voulais dire mardi.", "Par carte."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { day: "2026-11-24", people: 3, payment: "carte" },
      inOrder: ["AGENT: Merci, je l'ai modifié. Comment souhaitez-vous payer"],
    },
  },
  {
    title: "several French answers in one breath",
    language: "fr-FR",
    asks: { coming: COMING, people: PEOPLE, day: DAY },
    said: ["Allô ?", "Oui, nous viendrons à quatre personnes vendredi."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true, people: 4, day: "2026-11-27" },
      asked: ["Combien de personnes", 0],
    },
  },
  {
    title: "pouvez-vous répéter ? has the question repeated",
    language: "fr-FR",
    asks: { people: PEOPLE },
    said: ["Allô ?", "Comment ?", "Pouvez-vous répéter ?", "Cinq."],
    expected: { end: "AGENT_ENDED_CALL", fields: { people: 5 }, asked: ["Combien de personnes", 3] },
  },
  {
    title: "rappelez-moi demain à cinq heures is scheduled",
    language: "fr-FR",
    asks: { coming: COMING },
    callback: "ok : c'est prévu",
    said: ["Allô ?", "Je suis occupé, rappelez-moi demain à cinq heures."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: {},
      calls: [
        ["schedule_callback", { at: "2026-11-22T17:00", note: "Je suis occupé, rappelez-moi demain à cinq heures." }],
      ],
      inOrder: ["AGENT: Très bien, nous vous appellerons", "Au revoir"],
    },
  },
  {
    title: "ne m'appelez plus opts out",
    language: "fr-FR",
    asks: { coming: COMING },
    said: ["Allô ?", "Ne m'appelez plus jamais."],
    expected: { end: "CUSTOMER_OPTED_OUT", fields: {}, calls: [["add_to_do_not_call", {}]] },
  },
  {
    title: "vous vous trompez de numéro ends kindly",
    language: "fr-FR",
    asks: { coming: COMING },
    said: ["Vous vous trompez de numéro."],
    expected: { end: "AGENT_ENDED_CALL", fields: {}, inOrder: ["Veuillez excuser cette erreur"] },
  },
  {
    title: "qui est à l'appareil ? is answered",
    language: "fr-FR",
    flow: { prompt: "Tu es l'assistant de {{ company }}." },
    asks: { coming: COMING },
    said: ["Allô ?", "Qui est à l'appareil ?", "Ah d'accord, oui."],
    expected: {
      end: "AGENT_ENDED_CALL",
      fields: { coming: true },
      inOrder: ["AGENT: Ici l'assistant automatique de Green Street Clinic. Viendrez-vous"],
    },
  },
  {
    title: "a wish for a human in French is passed to one",
    language: "fr-FR",
    asks: { coming: COMING },
    transferTo: ["accueil"],
    said: ["Allô ?", "Je voudrais parler à un conseiller."],
    expected: { end: "AGENT_TRANSFERRED_CALL", fields: {}, calls: [["transfer_call", { target: "accueil" }]] },
  },
];
