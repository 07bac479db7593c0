/** The ten digits in words, so that "press one" is read like "press 1". */
const DIGIT_WORDS: Record<string, string> = Object.fromEntries(
  [
    "zero cero null zéro noll",
    "one uno eins un ett",
    "two dos zwei deux två",
    "three tres drei trois tre",
    "four cuatro vier quatre fyra",
    "five cinco fünf cinq fem",
    "six seis sechs six sex",
    "seven siete sieben sept sju",
    "eight ocho acht huit åtta",
    "nine nueve neun neuf nio",
  ].flatMap((words, digit) => words.split(" ").map((word) => [word, String(digit)])),
);

const PRESS =
  "press|dial|enter|push|hit|pulse|marque|presione|oprima|teclee|drücken sie|drücke|wählen sie|tapez|appuyez sur|faites le|composez le|tryck|slå|knappa";
const FILLER =
  "(?:\\s+(?:the|key|number|el|la|tecla|número|bitte|die|taste|ziffer|la|le|touche|på|in|knapp|siffran|nu))*";
const OFFER = new RegExp(
  `(?<!\\p{L})(?:${PRESS})${FILLER}\\s+([0-9*#]|${Object.keys(DIGIT_WORDS).join("|")})(?![\\p{L}\\p{N}])`,
  "giu",
);
const PERSON =
  /agent|representative|person|human|someone|operator|reception|advis|associate|speak|talk|customer service|hablar|operador|asesor|agente|sprechen|mitarbeiter|berater|mensch|parler|conseiller|opérateur|tala med|prata|medarbetare|handläggare|kundtjänst/iu;

/** Returns the key by which an announced menu leads to a person, else its first key; null when it offers none. */
export function chooseMenuKey(announcement: string): string | null {
  const offers = [...announcement.slice(0, 2_000).matchAll(OFFER)];
  const first = offers[0];
  if (!first) return null;
  const beforeFirst = announcement.slice(0, first.index).split(/[.!?]/).at(-1) ?? "";
  // "For sales press 1" names the choice before the key, "press 1 for sales" after it.
  const isNamedBefore = beforeFirst.trim() !== "";
  const reachesPerson = offers.find((offer, i) => {
    const end = offer.index + offer[0].length;
    const previousEnd = i === 0 ? 0 : (offers[i - 1]?.index ?? 0) + (offers[i - 1]?.[0].length ?? 0);
    const name = isNamedBefore
      ? announcement.slice(previousEnd, offer.index)
      : announcement.slice(end, offers[i + 1]?.index ?? announcement.length);
    return PERSON.test(name);
  });
  const key = ((reachesPerson ?? first)[1] as string).toLowerCase();
  return DIGIT_WORDS[key] ?? key;
}
