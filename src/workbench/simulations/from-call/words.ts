/** A word of a text, and its position. */
export interface Word {
  /** Without accents, in lower case. */
  folded: string;
  start: number;
  end: number;
}

/** The most words of a name. */
export const MOST_NAME_WORDS = 4;
const SHORTEST_NAME = 2;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns a word as it is compared: without accents, in lower case. */
export function foldWord(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
}

/** Returns the words of a text; all other characters only separate them. */
export function readWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    words.push({ folded: foldWord(match[0]), start: match.index, end: match.index + match[0].length });
  }
  return words;
}

/** Returns the folded words of a text. */
export function foldWords(text: string): string[] {
  return readWords(text).map(({ folded }) => folded);
}

/**
 * Words in five languages that are no names. A name that is also such a word (Will, May) counts only with a capital.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    "yes no not the a an and or but of to in on at by for with from as is are am was were be been it its this that these " +
    "those i you he she we they me my your his her our their mine yours who what which when where why how can could " +
    "will would shall should may might must do does did have has had go goes get got give say says said name names call " +
    "called speaking speak talking here there thanks thank please sorry hello hi hey okay ok sure right correct good fine " +
    "well just only now then later today tomorrow one two three four five six seven eight nine ten again still busy " +
    "asking want wants rather nobody nothing never always maybe mark bill grace hope rose june april august joy art pat " +
    "si no el la los las un una y o de del al en con por para que quien cual cuando donde como es son soy eres mi su tu " +
    "me te se lo le nos gracias hola adios bueno buenos buenas dias tardes vale claro nombre llamo llama apellido perdon " +
    "ja nein der die das ein eine einen und oder aber von zu in im am an auf mit fur aus ist sind bin war ich du er sie " +
    "es wir ihr mein meine name heisse heisst nicht danke bitte hallo guten tag morgen wer was wann wo warum wie hier " +
    "doch schon gut gerne genau moment entschuldigung frau herr " +
    "oui non le les un une des et ou du au aux en dans avec pour par sur est sont suis je tu il elle nous vous ils mon ma " +
    "mes votre vos nom prenom appelle merci bonjour salut bien sur qui que quoi quand comment pourquoi ici monsieur madame " +
    "nej det den en ett och eller men av till i pa med for fran som ar var jag du han hon vi ni de min mitt mina ditt din " +
    "namn heter tack hej hejdo bra inte vem vad nar hur varfor har nu kanske senare visst absolut " +
    "mr mrs ms miss dr prof senor senora"
  ).split(" "),
);

/** Returns the first capitalised words of a text that are no common words: a name, where one is expected. */
export function capitalsOf(text: string): string {
  const words = readWords(text).filter(({ folded, start, end }) => {
    return /^\p{Lu}/u.test(text.slice(start, end)) && !COMMON_WORDS.has(folded) && folded.length >= SHORTEST_NAME;
  });
  return words
    .slice(0, MOST_NAME_WORDS)
    .map(({ start, end }) => text.slice(start, end))
    .join(" ");
}
