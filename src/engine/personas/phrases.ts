import type { Language } from "./language.ts";

/** Phrases of the personas in one language. `{0}` is a placeholder. */
export interface Phrases {
  hello: string;
  yes: string;
  no: string;
  okay: string;
  goodbye: string;
  number: string;
  choice: string;
  name: string;
  email: string;
  phone: string;
  postalCode: string;
  date: string;
  time: string;
  open: string;
  ratherNot: string;
  wait: string;
  back: string;
  human: string;
  wrongPerson: string;
  stillWrong: string;
  later: string;
  pardon: string;
  correction: string;
  whoIsCalling: string;
  whereFrom: string;
  howLong: string;
  neverAgain: string;
  menu: string;
  badKey: string;
  screener: string;
  hold: string;
  greeting: string;
  full: string;
  rambling: string;
}

const EN: Phrases = {
  hello: "Hello?",
  yes: "Yes, that works for me.",
  no: "No, thank you.",
  okay: "Okay.",
  goodbye: "Thank you, goodbye.",
  number: "{0}.",
  choice: "{0}, please.",
  name: "My name is {0}.",
  email: "My e-mail is {0}.",
  phone: "My number is {0}.",
  postalCode: "My postal code is {0}.",
  date: "On {0}, please.",
  time: "At {0}.",
  open: "Everything is fine, I have nothing to add.",
  ratherNot: "I would rather not say.",
  wait: "One moment please, I have to look that up.",
  back: "Thank you for waiting.",
  human: "I would like to speak to a human, please.",
  wrongPerson: "I am afraid you have the wrong person.",
  stillWrong: "As I said, you have the wrong person. Goodbye.",
  later: "I cannot talk right now, please call me tomorrow at five.",
  pardon: "Sorry, go on.",
  correction: "Sorry, I said that wrong.",
  whoIsCalling: "Before I answer, who am I speaking with?",
  whereFrom: "And where did you get my number?",
  howLong: "How long will this take?",
  neverAgain: "Please never call me again, and take my number off your list.",
  menu: "Welcome. Press 1 to speak to us, press 2 for our opening hours.",
  badKey: "That is not a valid choice.",
  screener: "The person you are calling uses call screening. Please say your name and why you are calling.",
  hold: "Thank you. Please stay on the line.",
  greeting: "You have reached my voicemail. Please leave a message after the beep. Beep.",
  full: "The mailbox is full and cannot take messages. Goodbye.",
  rambling:
    "That reminds me of my neighbour, who had the very same thing last year, and you will not believe what came of it.",
};

const ES: Phrases = {
  hello: "¿Diga?",
  yes: "Sí, me parece bien.",
  no: "No, gracias.",
  okay: "De acuerdo.",
  goodbye: "Gracias, adiós.",
  number: "{0}.",
  choice: "{0}, por favor.",
  name: "Me llamo {0}.",
  email: "Mi correo es {0}.",
  phone: "Mi número es {0}.",
  postalCode: "Mi código postal es el {0}.",
  date: "El {0}, por favor.",
  time: "A las {0}.",
  open: "Todo está bien, no tengo nada que añadir.",
  ratherNot: "Prefiero no decirlo.",
  wait: "Un momento, por favor, tengo que mirarlo.",
  back: "Gracias por esperar.",
  human: "Quisiera hablar con una persona, por favor.",
  wrongPerson: "Me temo que se equivoca de persona.",
  stillWrong: "Ya le digo, se equivoca de persona. Adiós.",
  later: "Ahora no puedo hablar, llámeme mañana a las cinco.",
  pardon: "Perdone, siga.",
  correction: "Perdón, lo he dicho mal.",
  whoIsCalling: "Antes de contestar, ¿con quién hablo?",
  whereFrom: "¿Y de dónde ha sacado mi número?",
  howLong: "¿Cuánto va a durar esto?",
  neverAgain: "No me llamen nunca más y borren mi número de su lista, por favor.",
  menu: "Bienvenido. Pulse 1 para hablar con nosotros, pulse 2 para el horario.",
  badKey: "Esa opción no es válida.",
  screener: "La persona a la que llama filtra sus llamadas. Diga su nombre y el motivo de la llamada.",
  hold: "Gracias. No cuelgue, por favor.",
  greeting: "Este es mi buzón de voz. Deje un mensaje después de la señal. Bip.",
  full: "El buzón está lleno y no admite mensajes. Adiós.",
  rambling: "Eso me recuerda a mi vecino, que tuvo lo mismo el año pasado, y no se va a creer cómo acabó.",
};

const DE: Phrases = {
  hello: "Hallo?",
  yes: "Ja, das passt mir gut.",
  no: "Nein, danke.",
  okay: "In Ordnung.",
  goodbye: "Danke, auf Wiederhören.",
  number: "{0}.",
  choice: "{0}, bitte.",
  name: "Mein Name ist {0}.",
  email: "Meine E-Mail ist {0}.",
  phone: "Meine Nummer ist {0}.",
  postalCode: "Meine Postleitzahl ist {0}.",
  date: "Am {0}, bitte.",
  time: "Um {0}.",
  open: "Es ist alles gut, ich habe nichts hinzuzufügen.",
  ratherNot: "Das möchte ich lieber nicht sagen.",
  wait: "Einen Moment bitte, das muss ich nachsehen.",
  back: "Danke fürs Warten.",
  human: "Ich möchte bitte mit einem Menschen sprechen.",
  wrongPerson: "Da haben Sie leider die falsche Person erreicht.",
  stillWrong: "Wie gesagt, Sie haben die falsche Person erreicht. Auf Wiederhören.",
  later: "Ich kann gerade nicht sprechen, rufen Sie mich bitte morgen um fünf an.",
  pardon: "Entschuldigung, sprechen Sie weiter.",
  correction: "Entschuldigung, das war falsch.",
  whoIsCalling: "Bevor ich antworte, mit wem spreche ich?",
  whereFrom: "Und woher haben Sie meine Nummer?",
  howLong: "Wie lange wird das dauern?",
  neverAgain: "Bitte rufen Sie mich nie wieder an und löschen Sie meine Nummer.",
  menu: "Willkommen. Drücken Sie die 1, um mit uns zu sprechen, die 2 für unsere Öffnungszeiten.",
  badKey: "Diese Auswahl gibt es nicht.",
  screener: "Die angerufene Person prüft ihre Anrufe. Bitte nennen Sie Ihren Namen und den Grund Ihres Anrufs.",
  hold: "Danke. Bitte bleiben Sie in der Leitung.",
  greeting: "Hier ist meine Mailbox. Bitte sprechen Sie nach dem Ton. Piep.",
  full: "Die Mailbox ist voll und nimmt keine Nachrichten an. Auf Wiederhören.",
  rambling:
    "Das erinnert mich an meinen Nachbarn, der letztes Jahr genau dasselbe hatte, und Sie glauben nicht, wie das ausging.",
};

const FR: Phrases = {
  hello: "Allô ?",
  yes: "Oui, cela me convient.",
  no: "Non, merci.",
  okay: "D'accord.",
  goodbye: "Merci, au revoir.",
  number: "{0}.",
  choice: "{0}, s'il vous plaît.",
  name: "Je m'appelle {0}.",
  email: "Mon e-mail est {0}.",
  phone: "Mon numéro est le {0}.",
  postalCode: "Mon code postal est le {0}.",
  date: "Le {0}, s'il vous plaît.",
  time: "À {0}.",
  open: "Tout va bien, je n'ai rien à ajouter.",
  ratherNot: "Je préfère ne pas le dire.",
  wait: "Un instant, s'il vous plaît, je dois vérifier.",
  back: "Merci d'avoir patienté.",
  human: "Je voudrais parler à un être humain, s'il vous plaît.",
  wrongPerson: "Je crains que vous n'ayez pas la bonne personne.",
  stillWrong: "Je vous l'ai dit, ce n'est pas la bonne personne. Au revoir.",
  later: "Je ne peux pas parler maintenant, rappelez-moi demain à cinq heures.",
  pardon: "Pardon, continuez.",
  correction: "Pardon, je me suis trompé.",
  whoIsCalling: "Avant de répondre, à qui ai-je l'honneur ?",
  whereFrom: "Et d'où tenez-vous mon numéro ?",
  howLong: "Combien de temps cela va-t-il durer ?",
  neverAgain: "Ne m'appelez plus jamais et retirez mon numéro de votre liste, s'il vous plaît.",
  menu: "Bienvenue. Tapez 1 pour nous parler, tapez 2 pour nos horaires.",
  badKey: "Ce choix n'existe pas.",
  screener: "La personne que vous appelez filtre ses appels. Dites votre nom et la raison de votre appel.",
  hold: "Merci. Restez en ligne, s'il vous plaît.",
  greeting: "Vous êtes sur ma messagerie. Laissez un message après le bip. Bip.",
  full: "La messagerie est pleine et ne prend plus de messages. Au revoir.",
  rambling:
    "Cela me rappelle mon voisin, qui a eu la même chose l'an dernier, et vous n'allez pas croire comment cela a fini.",
};

const SV: Phrases = {
  hello: "Hallå?",
  yes: "Ja, det passar bra.",
  no: "Nej tack.",
  okay: "Okej.",
  goodbye: "Tack, hej då.",
  number: "{0}.",
  choice: "{0}, tack.",
  name: "Jag heter {0}.",
  email: "Min e-post är {0}.",
  phone: "Mitt nummer är {0}.",
  postalCode: "Mitt postnummer är {0}.",
  date: "Den {0}, tack.",
  time: "Klockan {0}.",
  open: "Allt är bra, jag har inget att tillägga.",
  ratherNot: "Det vill jag helst inte säga.",
  wait: "Ett ögonblick, det måste jag kolla upp.",
  back: "Tack för att du väntade.",
  human: "Jag vill prata med en människa, tack.",
  wrongPerson: "Du har tyvärr kommit till fel person.",
  stillWrong: "Som sagt, du har kommit till fel person. Hej då.",
  later: "Jag kan inte prata nu, ring mig i morgon klockan fem.",
  pardon: "Förlåt, fortsätt.",
  correction: "Förlåt, jag sa fel.",
  whoIsCalling: "Innan jag svarar, vem talar jag med?",
  whereFrom: "Och var fick du mitt nummer ifrån?",
  howLong: "Hur lång tid tar det här?",
  neverAgain: "Ring mig aldrig mer, och ta bort mitt nummer från er lista.",
  menu: "Välkommen. Tryck 1 för att tala med oss, tryck 2 för våra öppettider.",
  badKey: "Det valet finns inte.",
  screener: "Personen du ringer filtrerar sina samtal. Säg ditt namn och varför du ringer.",
  hold: "Tack. Stanna kvar på linjen.",
  greeting: "Du har kommit till min röstbrevlåda. Lämna ett meddelande efter tonen. Pip.",
  full: "Röstbrevlådan är full och tar inte emot meddelanden. Hej då.",
  rambling: "Det påminner mig om min granne, som hade precis samma sak i fjol, och du kan inte tro hur det slutade.",
};

/** Name of a phrase. */
export type PhraseName = keyof Phrases;

/** The phrases by language; a file may replace them. */
export const PHRASES: Record<Language, Phrases> = { en: EN, es: ES, de: DE, fr: FR, sv: SV };

/** Postal codes of people by their language. */
export const POSTAL_CODES: Record<Language, string> = {
  en: "12345",
  es: "28013",
  de: "10115",
  fr: "75011",
  sv: "114 55",
};
