/** Words that end all messages to a number when they are the whole message, as carriers and the FCC list them. */
const STOP_WORDS = new Set(
  (
    "stop stopall unsubscribe cancel end quit revoke optout " +
    "stopp abbestellen abmelden arret arrêt desabonner désabonner alto baja parar cancelar detener sluta avsluta"
  ).split(" "),
);

/** True for a message that says nothing but a stop word. */
export function isStopWord(text: string): boolean {
  if (text.length > 100) return false;
  return STOP_WORDS.has(text.toLowerCase().replaceAll(/[^\p{L}]/gu, ""));
}

const CONFIRMATIONS: Record<string, string> = {
  en: "You have been unsubscribed and will get no more messages from us.",
  es: "Se ha dado de baja y no recibirá más mensajes nuestros.",
  de: "Sie wurden abgemeldet und erhalten keine weiteren Nachrichten von uns.",
  fr: "Vous êtes désabonné et ne recevrez plus de messages de notre part.",
  sv: "Du har avregistrerats och får inga fler meddelanden från oss.",
};

/** What a person who wrote a stop word is told, in a BCP 47 language; English where there is none. */
export function confirmStop(language: string): string {
  return CONFIRMATIONS[language.slice(0, 2).toLowerCase()] ?? (CONFIRMATIONS.en as string);
}
