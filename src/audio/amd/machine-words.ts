import type { AnswerClass } from "#src/audio/line/answered-by.ts";
import { toPlainWords } from "#src/audio/turns/turn-words.ts";

/** Phrases that identify a kind of answer, matched against plain words (lower case, no accents, no apostrophes). */
interface AnswerPhrases {
  unavailable: RegExp;
  screening: RegExp;
  voicemail: RegExp;
  menu: RegExp;
  /** A person, in a text of any length. */
  person: RegExp;
  /** First word of a person's short greeting. */
  hello: RegExp;
}

const ENGLISH: AnswerPhrases = {
  unavailable:
    /mailbox is full|(?:cannot|cant|not able to) (?:take|accept|record) (?:any )?(?:new )?messages|not in service|been disconnected|has not been set up|circuits are busy|(?:subscriber|customer|person)[a-z ]{0,40}(?:is not|isnt|cannot be|can not be) (?:reachable|reached)|number (?:you have|youve) dialed is not/,
  screening:
    /(?:say|state|record|give) your (?:full )?name|call screening|screening (?:service|assistant)|(?:reason for|purpose of) your call|(?:why|what) (?:youre|you are) calling|see if (?:they are|theyre|this person is) available/,
  voicemail:
    /(?<!to )leave (?:me |us )?(?:a |your |an )?(?:brief |short |detailed )?(?:name|message|voicemail)|(?:after|at|hear) the (?:tone|beep)|voice ?mail|(?:answering machine|mailbox) of|(?:cant|cannot|unable to) (?:take|come|get|answer)[a-z ]{0,20}(?:call|phone)|ill (?:call|get back)|not available (?:right now|at the moment|to take)/,
  menu: /press (?:or say )?(?:\d|zero|one|two|three|four|five|six|seven|eight|nine|star|pound|hash)\b|(?:main|following) (?:menu|options)|menu options|your partys extension|know the extension|your call is (?:very )?important|all (?:of )?our (?:agents|representatives|lines)/,
  person: /how (?:can|may) i help|who(?:s| is) (?:this|that|there|speaking)|\bspeaking$|what can i do for you/,
  hello: /^(?:hello|hi|hey|hiya|yes|yeah|good (?:morning|afternoon|evening)|speaking)\b/,
};

const SPANISH: AnswerPhrases = {
  unavailable:
    /buzon (?:esta )?lleno|no (?:admite|acepta) (?:mas )?mensajes|numero (?:que ha marcado )?no (?:existe|esta en servicio)/,
  screening: /diga su nombre|(?:motivo|razon) de su llamada|filtro de llamadas|quien (?:le )?llama y por que/,
  voicemail:
    /(?<!para )(?:deje|dejar|deja) (?:un|su|tu) mensaje|(?:despues|oir|escuchar) (?:de(?:l)? )?(?:el )?(?:la senal|tono|pitido)|buzon de voz|contestador|no (?:puedo|podemos) (?:atender|contestar)/,
  menu: /(?:pulse|marque|presione|oprima) (?:el )?(?:\d|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|asterisco)\b|menu principal|siguientes opciones|su llamada es (?:muy )?importante/,
  person: /en que (?:puedo|le puedo) ayudar|quien (?:es|habla)|le atiende/,
  hello: /^(?:hola|diga|digame|si|bueno|alo|buenos dias|buenas tardes|buenas noches|buenas)\b/,
};

const GERMAN: AnswerPhrases = {
  unavailable:
    /(?:mailbox|postfach|anrufbeantworter) ist voll|keine (?:weiteren )?nachrichten|nummer ist nicht vergeben|kein anschluss unter/,
  screening:
    /(?:nennen|sagen) sie (?:bitte )?(?:ihren|den) namen|grund (?:ihres|des) anrufs|anruffilter|warum sie anrufen/,
  voicemail:
    /(?:hinterlassen|sprechen) sie[a-z ]{0,40}nachricht|nachricht[a-z ]{0,30}(?:hinterlassen|nach dem)|nach dem (?:signalton|piepton|ton|piep)|anrufbeantworter|mailbox|(?:derzeit|zurzeit|im moment|gerade) nicht (?:erreichbar|zu erreichen|da)/,
  menu: /(?:drucken|wahlen) sie (?:bitte )?(?:die )?(?:\d|null|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun)\b|hauptmenu|folgende (?:optionen|moglichkeiten)|ihr anruf ist uns wichtig|alle (?:mitarbeiter|leitungen|platze)/,
  person: /wie kann ich (?:ihnen )?helfen|was kann ich fur sie tun|wer (?:ist da|spricht)|am apparat/,
  hello: /^(?:hallo|ja|guten (?:tag|morgen|abend)|gruss gott|servus|moin)\b/,
};

const FRENCH: AnswerPhrases = {
  unavailable:
    /(?:messagerie|boite vocale) est (?:pleine|saturee)|numero (?:que vous avez compose )?nest pas attribue|plus (?:de|en service)/,
  screening: /(?:dites|indiquez|donnez) votre nom|(?:motif|raison|objet) de votre appel|filtrage/,
  voicemail:
    /(?<!pour )(?:laissez|laisser)(?: moi| nous)? (?:un|votre) message|apres le (?:bip|signal)|messagerie vocale|boite vocale|repondeur|(?:pas|indisponible)[a-z ]{0,20}(?:disponible|pour le moment)/,
  menu: /(?:tapez|appuyez sur|composez|faites) (?:le )?(?:\d|zero|un|deux|trois|quatre|cinq|six|sept|huit|neuf|etoile|diese)\b|menu principal|votre appel est important|tous nos (?:conseillers|agents)/,
  person: /(?:comment|en quoi) puis je vous aider|que puis je faire|qui est a lappareil|cest de la part de qui/,
  hello: /^(?:allo|oui|bonjour|bonsoir)\b/,
};

const SWEDISH: AnswerPhrases = {
  unavailable:
    /(?:brevladan|svararen) ar full|inga fler meddelanden|numret (?:du ringt )?(?:ar|har) (?:inte|upphort|ingen)/,
  screening: /sag ditt namn|(?:anledningen till|arendet for|varfor) (?:ditt samtal|du ringer)|samtalsfilter/,
  voicemail:
    /(?<!att )(?:lamna|tala in)[a-z ]{0,20}meddelande|efter (?:tonen|pipet|signalen)|rostbrevlada|telefonsvarare|mobilsvar|kan inte (?:svara|ta)/,
  menu: /(?:tryck|valj|sla) (?:pa )?(?:\d|noll|ett|tva|tre|fyra|fem|sex|sju|atta|nio|stjarna|fyrkant)\b|huvudmenyn|foljande (?:val|alternativ)|ditt samtal ar viktigt|alla vara (?:medarbetare|handlaggare)/,
  person: /vad kan jag hjalpa|hur kan jag hjalpa|vem (?:ar det|pratar)/,
  hello: /^(?:hej|halla|ja|hallo|god (?:morgon|dag|kvall))\b/,
};

const LANGUAGES: Record<string, AnswerPhrases> = {
  en: ENGLISH,
  es: SPANISH,
  de: GERMAN,
  fr: FRENCH,
  sv: SWEDISH,
};

/** Most words of a person's hello; a longer first text is an announcement. */
const HELLO_WORDS = 6;

/** Classifies who answered by the first words of a call; null when they are inconclusive. */
export function classifyWords(text: string, language: string): { answeredBy: AnswerClass; confidence: number } | null {
  const phrases = LANGUAGES[language.toLowerCase().split(/[-_]/)[0] ?? ""] ?? ENGLISH;
  const words = toPlainWords(text);
  const plain = words.join(" ");
  if (phrases.unavailable.test(plain)) return { answeredBy: "MACHINE_UNAVAILABLE", confidence: 0.95 };
  if (phrases.screening.test(plain)) return { answeredBy: "MACHINE_SCREENING", confidence: 0.95 };
  if (phrases.voicemail.test(plain)) return { answeredBy: "MACHINE_VOICEMAIL", confidence: 0.95 };
  if (phrases.menu.test(plain)) return { answeredBy: "MACHINE_IVR", confidence: 0.95 };
  if (phrases.person.test(plain)) return { answeredBy: "HUMAN", confidence: 0.9 };
  if (words.length > 0 && words.length <= HELLO_WORDS && phrases.hello.test(plain)) {
    return { answeredBy: "HUMAN", confidence: 0.85 };
  }
  return null;
}
