import { isStopKeyword } from "#src/engine/opt-out/judge.ts";

/** Requests that a person can make with a single word as the whole message. */
export type Keyword = "STOP" | "START" | "HELP";

/**
 * Keywords in addition to those of src/engine/opt-out, as carriers and the FCC list them, and equivalents in other
 * languages.
 */
const WORDS: Record<Keyword, string> = {
  STOP: "стоп отписаться",
  START:
    "start unstop optin subscribe starten anmelden commencer reprendre abonner empezar iniciar alta starta börja " +
    "começar comecar inizia iscrivi aanmelden wznow wznów старт",
  HELP: "help info hilfe aide ayuda hjälp hjalp ajuda aiuto hulp pomoc помощь",
};

const BY_WORD = new Map(
  (Object.keys(WORDS) as Keyword[]).flatMap((keyword) => WORDS[keyword].split(" ").map((word) => [word, keyword])),
);

/** Returns the keyword when the message is nothing but that; null otherwise. */
export function readKeyword(text: string): Keyword | null {
  if (text.length > 100) return null;
  if (isStopKeyword(text)) return "STOP";
  return (
    BY_WORD.get(
      text
        .normalize("NFC")
        .toLowerCase()
        .replaceAll(/[^\p{L}]/gu, ""),
    ) ?? null
  );
}

const REPLIES: Record<string, Record<Keyword, string>> = {
  en: {
    STOP: "You have been unsubscribed and will get no more messages from us. Reply START to get them again.",
    START: "You will get messages from us again. Reply STOP to get no more.",
    HELP: "This is {sender}. Reply STOP to get no more messages, START to get them again.",
  },
  es: {
    STOP: "Se ha dado de baja y no recibirá más mensajes nuestros. Responda ALTA para volver a recibirlos.",
    START: "Volverá a recibir nuestros mensajes. Responda BAJA para no recibir más.",
    HELP: "Somos {sender}. Responda BAJA para no recibir más mensajes, ALTA para volver a recibirlos.",
  },
  de: {
    STOP: "Sie wurden abgemeldet und erhalten keine weiteren Nachrichten von uns. Mit START melden Sie sich wieder an.",
    START: "Sie erhalten wieder Nachrichten von uns. Mit STOP melden Sie sich ab.",
    HELP: "Hier ist {sender}. Antworten Sie STOP, um keine Nachrichten mehr zu erhalten, START, um sie wieder zu erhalten.",
  },
  fr: {
    STOP: "Vous êtes désabonné et ne recevrez plus de messages de notre part. Répondez START pour en recevoir à nouveau.",
    START: "Vous recevrez à nouveau nos messages. Répondez STOP pour ne plus en recevoir.",
    HELP: "Ici {sender}. Répondez STOP pour ne plus recevoir de messages, START pour en recevoir à nouveau.",
  },
  sv: {
    STOP: "Du har avregistrerats och får inga fler meddelanden från oss. Svara START för att få dem igen.",
    START: "Du får meddelanden från oss igen. Svara STOPP för att inte få fler.",
    HELP: "Det här är {sender}. Svara STOPP för att inte få fler meddelanden, START för att få dem igen.",
  },
};

/**
 * Returns the answer to a keyword in a BCP 47 language, or in English where there is none. `sender` is the name of the
 * workspace.
 */
export function answerKeyword(keyword: Keyword, language: string, sender: string): string {
  const replies = REPLIES[language.slice(0, 2).toLowerCase()] ?? (REPLIES.en as Record<Keyword, string>);
  return replies[keyword].replace("{sender}", () => sender);
}
