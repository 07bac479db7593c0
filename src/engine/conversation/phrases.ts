/** Phrases that the engine itself says, whatever the model. */
export interface EnginePhrases {
  stillThere: string;
  timeUp: string;
  apology: string;
  /** Instead of the apology, when a turn breaks off in the middle and cannot be finished. */
  unfinished: string;
  /** When the operator's server stops during a call. */
  interrupted: string;
  /** While a tool runs, or the model is slow. */
  oneMoment: string;
  /** To the person who is asked to take over a call. */
  takeCall: string;
  /** After speech in which no word was understood. */
  sayAgain: string;
  /** To a person who asked for a human in a call that cannot be transferred. */
  callBack: string;
}

const EN: EnginePhrases = {
  stillThere: "Are you still there?",
  timeUp: "I am sorry, our time is up. Thank you, and goodbye.",
  apology: "I am sorry, something went wrong on my side. Goodbye.",
  unfinished: "I am sorry, I could not finish what I was saying, so please do not rely on it. Goodbye.",
  interrupted: "I am sorry, I have to end our call here for a technical reason. Goodbye.",
  oneMoment: "One moment, please.",
  takeCall: "Say yes, or press 1, to take this call.",
  sayAgain: "I am sorry, I did not catch that. Could you say it again?",
  callBack: "I have noted that you would like to speak to a person. Somebody will call you back.",
};

const BY_LANGUAGE: Record<string, EnginePhrases> = {
  en: EN,
  es: {
    stillThere: "¿Sigue ahí?",
    timeUp: "Lo siento, se nos ha acabado el tiempo. Gracias y adiós.",
    apology: "Lo siento, ha habido un problema por mi parte. Adiós.",
    unfinished: "Lo siento, no he podido terminar lo que decía, así que no cuente con ello. Adiós.",
    interrupted: "Lo siento, por un motivo técnico tengo que terminar aquí la llamada. Adiós.",
    oneMoment: "Un momento, por favor.",
    takeCall: "Diga sí, o pulse 1, para atender esta llamada.",
    sayAgain: "Perdone, no le he entendido. ¿Puede repetirlo?",
    callBack: "He anotado que desea hablar con una persona. Alguien le devolverá la llamada.",
  },
  de: {
    stillThere: "Sind Sie noch da?",
    timeUp: "Leider ist unsere Zeit um. Vielen Dank und auf Wiederhören.",
    apology: "Entschuldigung, bei mir ist etwas schiefgegangen. Auf Wiederhören.",
    unfinished:
      "Entschuldigung, ich konnte nicht zu Ende sprechen. Bitte verlassen Sie sich nicht darauf. Auf Wiederhören.",
    interrupted: "Entschuldigung, ich muss das Gespräch aus technischen Gründen hier beenden. Auf Wiederhören.",
    oneMoment: "Einen Moment, bitte.",
    takeCall: "Sagen Sie ja, oder drücken Sie die 1, um das Gespräch anzunehmen.",
    sayAgain: "Entschuldigung, das habe ich nicht verstanden. Können Sie das wiederholen?",
    callBack: "Ich habe notiert, dass Sie mit einem Menschen sprechen möchten. Jemand ruft Sie zurück.",
  },
  fr: {
    stillThere: "Êtes-vous toujours là ?",
    timeUp: "Je suis désolé, le temps est écoulé. Merci et au revoir.",
    apology: "Je suis désolé, un problème est survenu de mon côté. Au revoir.",
    unfinished: "Je suis désolé, je n'ai pas pu terminer ma phrase, ne vous y fiez donc pas. Au revoir.",
    interrupted: "Je suis désolé, je dois mettre fin à notre appel pour une raison technique. Au revoir.",
    oneMoment: "Un instant, s'il vous plaît.",
    takeCall: "Dites oui, ou appuyez sur 1, pour prendre cet appel.",
    sayAgain: "Pardon, je n'ai pas compris. Pouvez-vous répéter ?",
    callBack: "J'ai noté que vous souhaitez parler à une personne. Quelqu'un vous rappellera.",
  },
  sv: {
    stillThere: "Är du kvar?",
    timeUp: "Tyvärr är vår tid slut. Tack och hej då.",
    apology: "Förlåt, något gick fel hos mig. Hej då.",
    unfinished: "Förlåt, jag hann inte säga allt, så lita inte på det jag sa. Hej då.",
    interrupted: "Förlåt, jag måste avsluta samtalet här av tekniska skäl. Hej då.",
    oneMoment: "Ett ögonblick, tack.",
    takeCall: "Säg ja, eller tryck 1, för att ta samtalet.",
    sayAgain: "Förlåt, jag uppfattade inte det. Kan du säga det igen?",
    callBack: "Jag har noterat att du vill tala med en människa. Någon ringer upp dig.",
  },
};

/** Returns the engine's phrases in a BCP 47 language, in English when it has none. */
export function phrasesFor(language: string): EnginePhrases {
  return BY_LANGUAGE[language.slice(0, 2).toLowerCase()] ?? EN;
}
