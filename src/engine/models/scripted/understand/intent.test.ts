import { describe, expect, it } from "vitest";
import type { Intent } from "#src/engine/models/scripted/lexicon-shape.ts";
import { detectLanguage, lexiconFor } from "#src/engine/models/scripted/lexicon.ts";
import { findIntent } from "./intent.ts";
import { parseYesNo } from "./yes-no.ts";

const INTENTS: [string, [string, Intent | undefined][]][] = [
  [
    "en",
    [
      ["Please stop calling me", "OPT_OUT"],
      ["take me off your list", "OPT_OUT"],
      ["please remove my number", "OPT_OUT"],
      ["Quit calling me", "OPT_OUT"],
      ["Stop bothering me", "OPT_OUT"],
      ["I don't want any more calls", "OPT_OUT"],
      ["I don't want you to call me anymore", "OPT_OUT"],
      ["Delete my data", "OPT_OUT"],
      ["I can remove my shoes", undefined],
      ["representative", "HUMAN"],
      ["I am a representative of the people", undefined],
      ["call back in an hour", "CALLBACK"],
      ["Don't ever call again", "OPT_OUT"],
      ["Stop.", "OPT_OUT"],
      ["I am afraid you have the wrong person.", "WRONG_PERSON"],
      ["There's no one here by that name", "WRONG_PERSON"],
      ["Am I talking to a human?", "ROBOT"],
      ["I want to speak to a human", "HUMAN"],
      ["Can I talk to a real person please", "HUMAN"],
      ["Please state your name and why you are calling", "SCREENING"],
      ["call me back tomorrow at 5", "CALLBACK"],
      ["It's not a good time", "CALLBACK"],
      ["Before I answer, who am I speaking with?", "WHO"],
      ["Why are you calling?", "WHY"],
      ["And where did you get my number?", "SOURCE"],
      ["How long will this take?", "HOW_LONG"],
      ["One moment please", "HOLD"],
      ["Could you repeat that?", "REPEAT"],
      ["Sorry?", "REPEAT"],
      ["Sorry, go on.", "GO_ON"],
      ["I don't know", "DONT_KNOW"],
      ["I would rather not say.", "DONT_KNOW"],
      ["I am not interested", "NOT_INTERESTED"],
      ["Bye", "GOODBYE"],
      ["Yes, that works for me.", undefined],
      ["Tuesday at noon", undefined],
      ["I'll stop by the office", undefined],
    ],
  ],
  [
    "es",
    [
      ["No me llame más", "OPT_OUT"],
      ["Me temo que se equivoca de persona.", "WRONG_PERSON"],
      ["Quisiera hablar con una persona, por favor.", "HUMAN"],
      ["Ahora no puedo hablar, llámeme mañana a las cinco.", "CALLBACK"],
      ["¿con quién hablo?", "WHO"],
      ["¿De qué se trata?", "WHY"],
      ["Prefiero no decirlo.", "DONT_KNOW"],
      ["Perdone, siga.", "GO_ON"],
      ["Diga su nombre y el motivo de la llamada.", "SCREENING"],
      ["Gracias. No cuelgue, por favor.", "HOLD"],
    ],
  ],
  [
    "de",
    [
      ["Rufen Sie mich nicht mehr an", "OPT_OUT"],
      ["Hören Sie auf, mich anzurufen", "OPT_OUT"],
      ["Da haben Sie leider die falsche Person erreicht.", "WRONG_PERSON"],
      ["Ich möchte bitte mit einem Menschen sprechen.", "HUMAN"],
      ["Ich kann gerade nicht sprechen, rufen Sie mich bitte morgen um fünf an.", "CALLBACK"],
      ["Worum geht es?", "WHY"],
      ["Bevor ich antworte, mit wem spreche ich?", "WHO"],
      ["Das möchte ich lieber nicht sagen.", "DONT_KNOW"],
      ["Wie bitte?", "REPEAT"],
      ["Danke. Bitte bleiben Sie in der Leitung.", "HOLD"],
      ["Wie lange wird das dauern?", "HOW_LONG"],
    ],
  ],
  [
    "fr",
    [
      ["Ne m'appelez plus", "OPT_OUT"],
      ["Je crains que vous n'ayez pas la bonne personne.", "WRONG_PERSON"],
      ["Je voudrais parler à un être humain, s'il vous plaît.", "HUMAN"],
      ["Je ne peux pas parler maintenant, rappelez-moi demain à cinq heures.", "CALLBACK"],
      ["Avant de répondre, à qui ai-je l'honneur ?", "WHO"],
      ["Et d'où tenez-vous mon numéro ?", "SOURCE"],
      ["Je préfère ne pas le dire.", "DONT_KNOW"],
      ["Merci. Restez en ligne, s'il vous plaît.", "HOLD"],
    ],
  ],
  [
    "sv",
    [
      ["Ring mig inte igen", "OPT_OUT"],
      ["Du har tyvärr kommit till fel person.", "WRONG_PERSON"],
      ["Jag vill prata med en människa, tack.", "HUMAN"],
      ["Jag kan inte prata nu, ring mig i morgon klockan fem.", "CALLBACK"],
      ["Innan jag svarar, vem talar jag med?", "WHO"],
      ["Hur lång tid tar det här?", "HOW_LONG"],
      ["Det vill jag helst inte säga.", "DONT_KNOW"],
      ["Förlåt, fortsätt.", "GO_ON"],
    ],
  ],
];

describe.each(INTENTS)("intents in %s", (language, table) => {
  it.each(table)("%s", (text, intent) => expect(findIntent(text, lexiconFor(language))).toBe(intent));
});

const YES_NO: [string, [string, boolean | undefined][]][] = [
  [
    "en",
    [
      ["Yes, that works for me.", true],
      ["yeah no problem", true],
      ["Sure, why not", true],
      ["I will be there", true],
      ["No, thank you.", false],
      ["I can't make it", false],
      ["Of course not", false],
      ["I don't think so", false],
      ["No problem", true],
      ["purple", undefined],
    ],
  ],
  [
    "es",
    [
      ["Sí, me parece bien.", true],
      ["claro que no", false],
      ["No, gracias.", false],
    ],
  ],
  [
    "de",
    [
      ["Ja, das passt mir gut.", true],
      ["Nein, danke.", false],
      ["Das passt mir leider nicht", false],
      ["Kein Problem", true],
    ],
  ],
  [
    "fr",
    [
      ["Oui, cela me convient.", true],
      ["Non, merci.", false],
      ["Pas du tout", false],
      ["Pas de problème", true],
    ],
  ],
  [
    "sv",
    [
      ["Ja, det passar bra.", true],
      ["Nej tack.", false],
      ["Det går inte", false],
      ["Inga problem", true],
    ],
  ],
];

describe.each(YES_NO)("yes and no in %s", (language, table) => {
  it.each(table)("%s", (text, answer) => expect(parseYesNo(text, lexiconFor(language))).toBe(answer));
});

describe("detectLanguage", () => {
  it.each([
    ["en", "De acuerdo.", "es"],
    ["en", "Sí, me parece bien.", "es"],
    ["en", "Ich kann gerade nicht sprechen", "de"],
    ["en", "Oui, cela me convient.", "fr"],
    ["en", "Ja, det passar bra.", "sv"],
    ["de", "Yes, I would like that", "en"],
    // These are no evidence.
    ["en", "No.", "en"],
    ["en", "Ja.", "en"],
    ["en", "by e-mail", "en"],
    ["en", "in an hour or so", "en"],
    ["en", "in a minute", "en"],
    ["sv", "ja", "sv"],
    ["en", "Anna Berg", "en"],
    ["es", "Yes, sí", "es"],
  ])("%s: %s", (current, text, expected) => expect(detectLanguage(text, lexiconFor(current)).code).toBe(expected));
});
