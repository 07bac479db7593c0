import { wholeWords } from "#src/engine/models/scripted/words.ts";

const NATO =
  "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu";
const MORE =
  "alfa=a juliett=j whisky=w x-ray=x anton=a berta=b cäsar=c dora=d emil=e friedrich=f gustav=g heinrich=h ida=i julius=j kaufmann=k ludwig=l martha=m nordpol=n otto=o paula=p quelle=q richard=r samuel=s siegfried=s theodor=t ulrich=u viktor=v wilhelm=w xanthippe=x ypsilon=y zacharias=z zeppelin=z";
const LETTER_NAMES =
  "bee=b cee=c see=c dee=d ee=e eff=f gee=g aitch=h haitch=h jay=j kay=k ell=l em=m en=n pee=p cue=q queue=q ar=r ess=s tee=t vee=v double-u=w ex=x wye=y zee=z zed=z";

const LETTERS = new Map<string, string>();
for (const word of NATO.split(" ")) LETTERS.set(word, word[0] as string);
for (const pair of `${MORE} ${LETTER_NAMES}`.split(" ")) {
  const [word = "", letter = ""] = pair.split("=");
  LETTERS.set(word, letter);
}

/** "B as in boy", "m wie Martha", "b de Barcelona", "p comme Paul", "k som i Kalle". */
const AS_IN = wholeWords(
  "(\\p{L})(?:,)? (?:as in|like in|for|like|wie|de|como(?: en)?|comme|som(?: i)?) (\\p{L}{2,20})",
  "giu",
);
const DOUBLE = wholeWords("(?:double|doppel(?:tes)?|doble|deux|dubbel)[ -](\\p{L})(?!\\p{L})", "giu");
/** Words around spelled letters that are none of them. */
const REMARKS = wholeWords(
  "(?:no,? )?with (?:the|a|an) (?:dash|hyphen|dot|underscore)|(?:no,? )?mit (?:dem |einem )?(?:bindestrich|punkt|unterstrich)|all one(?: word)?|(?:with|mit|con|avec|med) (?:an? |einem |una? |un |ett )?\\p{L}(?!\\p{L})|(?:all )?(?:in )?(?:one word|lower ?case|small letters|capitals?|upper ?case|no spaces?)|then(?: my)?(?: sur| last | first )?(?:name)?|that(?:'s| is)|the letters?|spelled|(?:alles )?(?:klein|groß)(?:geschrieben)?|zusammen(?:geschrieben)?|dann|todo junto|en minúsculas?|luego|tout attaché|en minuscules?|puis|allt ihop|små bokstäver|sedan",
  "giu",
);

/** Names of letters in Spanish. Some are also words, so they count in a row of letters only. */
const SPANISH_LETTERS = new Map(
  "be=b ce=c de=d e=e efe=f ge=g hache=h i=i jota=j ka=k ele=l eme=m ene=n eñe=ñ pe=p cu=q erre=r ere=r ese=s te=t u=u uve=v ve=v equis=x zeta=z ceta=z"
    .split(" ")
    .map((pair) => {
      const [word = "", letter = ""] = pair.split("=");
      return [word, letter];
    }),
);
/** "De" before a word names no letter: "eme de Madrid". */
const SPANISH_NAME = [...SPANISH_LETTERS.keys()].map((name) => (name === "de" ? "de(?! \\p{L}{3,})" : name)).join("|");
const SURE_NAME = wholeWords("hache|jota|efe|ele|eme|ene|eñe|erre|ere|uve|equis|zeta|ceta", "giu");
const SPANISH_ROW = wholeWords(`(?:${SPANISH_NAME}|\\p{L})(?:[\\s,.]+(?:${SPANISH_NAME}|\\p{L}))+`, "giu");

function toSpanishLetters(text: string): string {
  if (text.search(SURE_NAME) === -1) return text;
  const toLetter = (word: string): string => SPANISH_LETTERS.get(word.toLowerCase()) ?? word;
  return text
    .replaceAll(SPANISH_ROW, (row) => (row.search(SURE_NAME) === -1 ? row : row.replaceAll(/\p{L}+/gu, toLetter)))
    .replaceAll(SURE_NAME, toLetter);
}

/** Returns a text in which the ways to name single letters are replaced by the letters: "b as in boy, tango" is "b, t". */
export function toLetters(text: string): string {
  return toSpanishLetters(text)
    .replaceAll(AS_IN, (all, letter: string, word: string) =>
      word.toLowerCase().startsWith(letter.toLowerCase()) ? letter : all,
    )
    .replaceAll(DOUBLE, "$1 $1")
    .replaceAll(/(?<![\p{L}\p{N}@.])\p{L}[\p{L}-]*/gu, (word) => LETTERS.get(word.toLowerCase()) ?? word);
}

/** Returns a text without remarks on how something is spelled. */
export function dropRemarks(text: string): string {
  return text.replaceAll(REMARKS, " ");
}

const ROW = /(?<![\p{L}\p{N}'])\p{L}(?:[\s.,-]+\p{L}(?![\p{L}\p{N}']))+/gu;

/** Returns the last word that is spelled letter by letter, in lower case; undefined when none is. */
export function spelledWord(text: string): string | undefined {
  const rows = [...toLetters(dropRemarks(text)).matchAll(ROW)].map(([row]) => row.replaceAll(/[^\p{L}]/gu, ""));
  return rows.findLast((row) => row.length >= 3)?.toLowerCase();
}
