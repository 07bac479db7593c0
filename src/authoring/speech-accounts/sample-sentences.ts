/** One sentence in each language that flows are often written in. */
const SENTENCES: Record<string, string> = {
  da: "Goddag, det er sådan jeg lyder i telefonen. Hvad kan jeg hjælpe med?",
  de: "Guten Tag, so klinge ich am Telefon. Wie kann ich Ihnen helfen?",
  en: "Hello, this is how I sound on the phone. How can I help you?",
  es: "Buenos días, así sueno por teléfono. ¿En qué puedo ayudarle?",
  fr: "Bonjour, voici ma voix au téléphone. Comment puis-je vous aider ?",
  it: "Buongiorno, questa è la mia voce al telefono. Come posso aiutarla?",
  nl: "Goedendag, zo klink ik aan de telefoon. Waarmee kan ik u helpen?",
  pl: "Dzień dobry, tak brzmię przez telefon. W czym mogę pomóc?",
  pt: "Bom dia, é assim que a minha voz soa ao telefone. Como posso ajudar?",
  sv: "God dag, så här låter jag i telefonen. Vad kan jag hjälpa till med?",
  tr: "Merhaba, telefonda sesim böyle. Size nasıl yardımcı olabilirim?",
};

/** Returns a sentence to try a voice with, in its language where one is known, else in English. */
export function sampleSentence(language: string): string {
  const primary = language.split("-", 1)[0]?.toLowerCase() ?? "";
  return SENTENCES[primary] ?? (SENTENCES["en"] as string);
}
