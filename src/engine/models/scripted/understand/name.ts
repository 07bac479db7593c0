import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toSentences, toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { isBareYesNo } from "./intent.ts";
import { barePreference } from "./preferred.ts";
import { spelledWord } from "./spelled.ts";

const MAX_WORDS = 8;

/** Match the words before a name, one after the other. */
const LEADS = [
  /^(?:all right|alright|okay|ok|sure|fine|yes|well|oh|ja|gut|na gut|klar|vale|bueno|sí|claro|oui|bon|d'accord|okej|jo|visst)[,.!]\s+/i,
  /^(?:(?:just )?ask for|fragen sie nach|pregunte por|demandez|fråga efter)\s+/i,
  /^(?:put it |it's |book it |that's )?(?:under(?: the name)?(?: of)?|(?:auf|unter)(?: den namen| dem namen)?|a nombre de|au nom de|(?:på|i) namnet)\s+/i,
  /^(?:(?:his|her|their|its|our|the|my|sein|ihr|mein|der|su|mi|el|son|mon|le|hans|hennes|mitt|dess)e?r? (?:\p{L}+ ){0,2}?(?:\p{L}*name|surname|nombre|apellido|nom|prénom|\p{L}*namn)(?:'s| is| would be| ist| lautet| es| est| c'est| är)|name's)\s+/iu,
  /^(?:my|our|the|mein(?:e|er)?|unser(?:e|er)?|der|die|mi|nuestr[oa]|el|la|mon|ma|notre|le|min|vår|mitt|vårt)\s+\p{L}+(?: \p{Ll}+)?\s+(?:is (?:called|named)|goes by|heißt|se llama|s'appelle|heter)\s+/iu,
  /^(?:(?:(?:he|she|it|they|we)(?:'s| is|'re| are) )?(?:called|named)|(?:he|she|it) goes by|(?:er|sie|es|wir|ich|das) hei(?:ß|ss)(?:t|en|e)|(?:se|me|nos) llam(?:a|o|amos)|(?:il|elle|on|je) (?:s'|m')appelle|(?:han|hon|den|det|vi|jag) heter)\s+/i,
  /^(?:that(?:'d| would) be|that(?:'s| is)|it(?:'d| would) be|it(?:'s| is|'ll be)|this is|i(?:'m| am)|das (?:bin|ist|wäre)|ich bin|es(?: ist)?|soy|sería|c'est|je suis|ce (?:serait|sera)|det (?:är|blir)|jag är)\s+/i,
  /^(?:der|die|el|la|le)\s+(?=\p{Lu}\p{L}*[.! ]*$)/u,
  /^(?:me|ich|yo|moi|jag),?\s+(?=\p{L})/iu,
  /^(?:my|our|mein(?:e|en)?|unser(?:e)?|mi|mon|ma|min|mitt|vår) \p{Ll}+(?:-\p{Ll}+)*,?\s+(?=\p{L})/u,
];

/** Remarks on how the name before them is written: "with two n's", "mit zwei T", "con i latina". */
const REMARK =
  /[,;.]?\s+(?:(?:that's|spelled|spelt)\s+)?(?:with|without|mit|ohne|con|sin|avec|sans|med|utan)\s+(?:(?:an?|one|two|double|einem|einfachem|zwei|doppel|una?|dos|doble|un|deux|double|ett|två|dubbel|dubbelt)[\s-]+){0,2}\p{L}(?:['’]?s)?(?![\p{L}\p{N}]).*$/iu;
/** Letters that are ruled out: "not S H O R E". */
const RULED_OUT =
  /[,;.]?\s+(?:and )?(?:not|nicht|no|pas|inte)\s+(?:(?:with|mit|con|avec|med)\s+)?(?:an?\s+)?\p{L}(?:[\s.-]+\p{L})*(?![\p{L}\p{N}'])/giu;

const FURTHER_ANSWER =
  /[,;.]?\s+(?:(?:and|und|y|et|och)\s+)?(?:(?:my|the|meine?|die|mi|el|mon|ma|le|min|mitt)\s+(?:phone|mobile|cell|number|e-?mail|address|telefon|handy|nummer|mail|teléfono|móvil|número|correo|téléphone|numéro|adresse|mejl|e-post)|(?:and|und|y|et|och)\s+(?:my|meine?|mi|mon|ma|min|mitt|i|ich|je|jag)\s).*$/iu;
/** Matches the letters spelled after a name: "Berg, B E R G". */
const SPELLED_AFTER = /[,;.]?\s+(?:\p{L}[\s.,-]+){2,40}\p{L}\.?$/u;
/** Words of a remark, in any of the languages, that do not occur in names. */
const NO_NAME = wholeWords(
  "you|your|know|why|don't|told|have|haven't|wissen|warum|nicht|kennen|keinen?|hab|usted|sabe|saben|por qué|tengo|vous|savez|pourquoi|n'en|vet|varför|inte|har",
);

/** Returns a name without what is said around it, spelled as the person spelled it; undefined when there is none. */
export function readName(text: string, lexicon: Lexicon): string | undefined {
  const said = text.replaceAll(RULED_OUT, "");
  const plain = said.replace(REMARK, "");
  const trimmed = trimName(dropLeads(plain, lexicon));
  const spelled = spelledWord(said);
  if (spelled !== undefined) return respell(trimmed, spelled);
  const name = keepCapitals(trimmed);
  const isName = name !== "" && toTokens(name).length <= MAX_WORDS && !NO_NAME.test(name);
  return isName && !isBareYesNo(name, lexicon) ? name : undefined;
}

/** Returns a text without "my name is" and the like. */
function dropLeads(text: string, lexicon: Lexicon): string {
  const bare = barePreference(text.trim()).replace(lexicon.leadIn, "");
  const rest = LEADS.reduce((left, lead) => left.replace(lead, ""), bare);
  return rest === "" ? bare : rest;
}

const PARTICLE = "(?:van|von|de|der|den|del|de la|la|di|da|af|of|the|and|und|y|et|och|zu|le|du|dos|bin|al|el|&)";
const CAPITALS = new RegExp(`\\p{Lu}[\\p{L}\\p{N}.'’-]*(?:\\s+(?:${PARTICLE}\\s+)*\\p{Lu}[\\p{L}\\p{N}.'’-]*)*`, "gu");
/** Words that begin a sentence, and nouns of German, that are no names. */
const NO_CAPITAL =
  /^(?:I|I'm|My|His|Her|Our|The|That|This|It|We|He|She|You|Let|So|Yes|No|Oh|Der|Die|Das|Er|Sie|Ich|Mein|Meine|Ja|Nein|Bruder|Schwester|Mann|Frau|Sohn|Tochter|Mutter|Vater|Hund|Katze|Mit|Name|Namen|Nachname|Nachnamen|Vorname|Vornamen|Freund|Freundin|El|La|Mi|Su|Es|Se|Sí|Il|Elle|Le|Ma|Mon|Je|C'est|Oui|Han|Hon|Den|Det|Jag|Min|Mitt|Vi|Ja)(?:['’]\p{L}+)?$/u;

/** Returns the capitals of a text in which other words stand around a name: "My mother, Ruth Abrams". */
function keepCapitals(name: string): string {
  const words = name.split(/\s+/);
  const others = words.filter((word) => /^\p{Ll}/u.test(word) && !new RegExp(`^${PARTICLE}$`).test(word));
  if (others.length === 0 || !/\p{Lu}/u.test(name)) return name;
  const runs = [...name.matchAll(CAPITALS)]
    .filter(({ index, 0: run }) => index > 0 || run.includes(" ") || !/^\s+\p{Ll}/u.test(name.slice(run.length)))
    .map(([run]) => run.split(/\s+/))
    .map((run) =>
      run.slice(
        Math.max(
          0,
          run.findIndex((word) => !NO_CAPITAL.test(word)),
        ),
      ),
    )
    .map((run) => (run.every((word) => NO_CAPITAL.test(word)) ? "" : run.join(" ").replace(/[.]$/, "")))
    .filter((run) => run !== "");
  const longest = Math.max(0, ...runs.map((run) => run.split(" ").length));
  return runs.findLast((run) => run.split(" ").length === longest) ?? "";
}

function trimName(text: string): string {
  const said = toSentences(text.replace(SPELLED_AFTER, "").replace(FURTHER_ANSWER, ""));
  const whole = said.at(-1) ?? "";
  // A name and its full form: "Berg. Anna Berg."
  const isRepeated = said.length > 1 && toTokens(said[0] ?? "").every((word) => toTokens(whole).includes(word));
  const name = (isRepeated ? whole : said.join(" ")).replace(/[.!,;]+$/, "");
  const [first = "", second] = name.split(/,\s*/);
  // "Smith, John Smith."
  return second !== undefined && toTokens(first).every((word) => toTokens(second).includes(word)) ? second : name;
}

/** Replaces the word of a name that sounds like the spelled one. */
export function respell(name: string, spelled: string): string {
  const capital = (spelled[0] ?? "").toUpperCase() + spelled.slice(1);
  const words = (toSentences(name)[0] ?? "")
    .replace(/[.,;:!?]+$/, "")
    .split(/[\s,]+/)
    .filter((word) => !/^(?:\p{L}-)+\p{L}$/u.test(word));
  const end = words.findIndex((word) => word.length === 1);
  const kept = end === -1 ? words : words.slice(0, end);
  const like = kept.findLastIndex((word) => isLike(word.toLowerCase(), spelled));
  if (like === -1 || kept.length > MAX_WORDS) return capital;
  const isCased = /\p{Lu}/u.test(kept[like] ?? "");
  const after = kept.slice(like + 1).filter((word) => !isCased || /^\p{Lu}/u.test(word));
  return [...kept.slice(0, like), capital, ...after].join(" ");
}

/** True for two words that differ in few letters. */
export function isLike(word: string, spelled: string): boolean {
  if (word === spelled) return true;
  if (word[0] !== spelled[0] || Math.abs(word.length - spelled.length) > 2) return false;
  const shared = [...new Set(word)].filter((letter) => spelled.includes(letter)).length;
  return shared >= Math.min(word.length, spelled.length) / 2;
}
