const CALLBACK =
  /call[ -]?back|call (?:you|them|her|him) (?:back|again|later)|rückruf|zurückrufen|rappel|volver a llamar|devolver la llamada|återuppring|ring[a-z]* (?:upp|tillbaka)/i;
const PHONE =
  /(?:phone|mobile) ?(?:number)?$|telephone|phone number|telefon|teléfono|téléphone|handynummer|mobilnummer/i;
const EMAIL = /e-?mail|correo electrónico|courriel|e-post/i;
const WORDS = { CALLBACK, PHONE, EMAIL };

const NAME = /name$|^nombre|^nom$|namn$|^apellidos?$/i;
const NAME_TITLE =
  /\b(?:(?:sur|last|first|middle|maiden|full|family)? ?name|contact person)\b|\b(?:vor|nach|familien|zu|mädchen)?name\b|ansprechpartner|\bnombre\b|apellidos?|\bnom\b|prénom|(?:^|\s|\p{L})namn\b|kontaktperson|\bwho(?: is|'s|se name| referred| recommended| sent| told| will)\b|\bwie heißt|\bwer ist\b|cómo se llama|quién es|titular|(?:comment s'appelle)|qui est|personne à|vem är\b|vad heter|\b(?:company|firma|empresa|entreprise|société|företag)\s*$/iu;
const NO_PERSON =
  /\b(?:user|domain|file|brand|product|street|medicine|drug) ?name|nombre de (?:usuario|la calle|marca)|nom (?:d'utilisateur|de la rue)|nombre de (?!la? |el )\p{Ll}+s\b/iu;

/** True for a field that asks for the name of a person, an animal or a company. */
export function isNameField(name: string, about: string): boolean {
  return NAME.test(name) || (NAME_TITLE.test(about) && !NO_PERSON.test(about));
}

/** True when the words of a field say that it is for a call later, a phone number or an e-mail address. */
export function isOf(words: string, kind: keyof typeof WORDS): boolean {
  return WORDS[kind].test(words);
}

const BIRTH = /birth|\bborn\b|\bdob\b|geburt|geboren|nacimiento|\bnaci|fecha de nac|naissance|\bnée?\b|född|födelse/i;
const PAST =
  /\b(?:did|was|were|since|happened|occurred|started|began|bought|purchased|paid|accident|incident|last (?:visit|time|service|seen|meal|period))\b|seit wann|zuletzt|letzte[rnsm]? (?:besuch|termin|wartung)|últim[oa] (?:visita|cita|revisión)|dernière (?:visite|révision)|senaste (?:besök|service)\p{L}*|unfall|schadens?|passiert|bezahlt|gekauft|\bwann (?:war|hat|haben|ist|wurde)\b|desde (?:cuándo|qué día)|accidente|siniestro|pag(?:ó|aron)\b|cuándo (?:fue|empezó|compró|ocurrió|pasó)|depuis (?:quand|quel)|\baccident\b|sinistre|avez-vous (?:payé|acheté)|quand (?:a|est|avez|s'est)\b|sedan (?:när|vilken)|olycka|skadan|betalade|\bnär (?:hände|började|var|köpte|inträffade)\b/iu;
/** Words of a question for what is still to come, even with "since" or "from". */
const FUTURE =
  /\b(?:could|can|would|will|available)\b|podría|\bpued[eo]|podrá|kann|können|könnten|verfügbar|ab wann|pouvez|pourri|pourr|disponible|à partir|\bkan\b|kunna|från (?:när|vilken)|tillgänglig/iu;

/** Returns whether a field asks for a birth, for something that has passed, or for any time. */
export function tenseOf(words: string): "BIRTH" | "PAST" | "ANY" {
  if (BIRTH.test(words)) return "BIRTH";
  return PAST.test(words) && !FUTURE.test(words) ? "PAST" : "ANY";
}

/** Hours of the day, from 0 to 24. */
export interface Hours {
  from: number;
  to: number;
}

const HOURS =
  /(?<![\d.])(\d{1,2})(?:[:.h]\d\d)?\s*(a\.?m|p\.?m)?\.?\s*(?:uhr|h|heures?|o'clock)?\s*(?:to|till?|until|through|and|-|–|bis|und|a|y|à|et|jusqu'à|och)\s*(?:las\s*)?(\d{1,2})(?:[:.h]\d\d)?\s*(a\.?m|p\.?m)?/i;

const RISING = /get up|wake up|aufstehen|stehen sie auf|levanta|despierta|levez|réveil|vaknar|stiger upp/i;

/** Returns the hours that a description names: "open from 8 a.m. to 5 p.m."; null when there are none. */
export function likelyHours(words: string): Hours | null {
  const match = HOURS.exec(words);
  if (!match) return RISING.test(words) ? { from: 4, to: 12 } : null;
  const from = toHour(Number(match[1]), match[2]);
  const to = toHour(Number(match[3]), match[4]);
  return from < to && to <= 24 ? { from, to } : null;
}

function toHour(hour: number, half = ""): number {
  if (/^p/i.test(half)) return hour < 12 ? hour + 12 : hour;
  return /^a/i.test(half) && hour === 12 ? 0 : hour;
}

const JUDGED =
  /(?:summary|sentiment|mood|tone|transcript|quality|result|outcome|notes?) (?:of|about|on) (?:the |this )?(?:conversation|call|chat|dialogue|talk)|^(?:call |conversation |short )?(?:summary|sentiment)\b|\bmood of (?:the )?(?:customer|caller|person|contact|user|client)|zusammenfassung|stimmung (?:des|der)|resumen de la (?:conversación|llamada)|résumé de (?:la conversation|l'appel)|sammanfattning av/i;

/** True for a field about the conversation itself, such as its summary: it is judged afterwards. */
export function isJudged({ about, path, kind }: { about: string; path: string[]; kind: string }): boolean {
  return kind !== "BOOLEAN" && (JUDGED.test(about) || JUDGED.test(path.at(-1) ?? ""));
}
