import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens } from "#src/engine/models/scripted/words.ts";
import { saysNothing } from "./choice.ts";
import { isCodeField, readCode, readRow } from "./code.ts";
import { dropHesitation } from "./hesitation.ts";
import { isBareYesNo } from "./intent.ts";
import { readName, respell } from "./name.ts";
import { parseCode } from "./phone.ts";
import { barePreference } from "./preferred.ts";
import { readRoute } from "./route.ts";
import { spelledWord } from "./spelled.ts";

/** Returns a free text, a name or a code as the person gave it; undefined when the utterance holds none. */
export function understandText(field: Field, text: string, lexicon: Lexicon): string | undefined {
  if (saysNothing(text, lexicon) || text.trimEnd().endsWith("?") || ALREADY_TOLD.test(text)) return undefined;
  const bare = dropHesitation(text);
  const isCode = isCodeField(field);
  const code = isCode ? readCode(field, bare, lexicon) : readRow(bare, lexicon);
  if (code !== undefined && field.accepts(code)) return code;
  // A number that somebody looks for is no number yet.
  if (isCode && toTokens(bare).length > MAX_CODE_WORDS && !/\d/.test(bare)) return undefined;
  if (field.isName) return keep(field, readName(bare, lexicon));
  const route = readRoute(field, bare);
  if (route !== undefined && field.accepts(route)) return route;
  const cleaned = cleanText(bare, lexicon);
  const spelled = spelledWord(bare);
  if (spelled !== undefined) return keep(field, respell(cleaned, spelled));
  if (cleaned === "" || isBareYesNo(cleaned, lexicon)) return undefined;
  const short = PLACE.test(`${field.about} ${field.path.join(" ")}`) ? cleaned.replace(IN_PLACE, "") : cleaned;
  return (
    keep(field, short) ?? parseCode(text, lexicon, (digits) => field.accepts(digits)) ?? readCode(field, text, lexicon)
  );
}

const ALREADY_TOLD =
  /^(?:(?:i(?:'ve)? (?:just |already )?(?:told you|said(?: that| so)?)(?: that)?(?: already)?|(?:das )?hab(?:e)? ich (?:ihnen )?(?:doch )?(?:schon|gerade|bereits) gesagt|ya (?:se )?lo (?:he dicho|dije)|je (?:vous )?l'ai déjà dit|det (?:har jag redan sagt|sa jag (?:ju|nyss|redan))))[.! ]*$/iu;

/** Words of a code that was not spelled: a number plate may be a name. */
const MAX_CODE_WORDS = 3;

function keep(field: Field, value: string | undefined): string | undefined {
  return value !== undefined && field.accepts(value) ? value : undefined;
}

const PLACE =
  /city|town|street|where|neighbou?rhood|district|stadt|straße|ort|wo\b|barrio|ciudad|calle|dónde|ville|rue|quartier|où|stad|gata|var\b/i;
const IN_PLACE =
  /^(?:(?:[Ii]|[Ww]e) live |[Ii]t's |[Ww]e're |I'm |[Ww]ir sind |(?:[Ii]ch|[Ww]ir) wohnen? |[Vv]iv(?:o|imos) |[Ee]stoy |[Jj]'habite |[Oo]n habite |(?:[Jj]ag|[Vv]i) bor )?(?:(?:over|out|down|up|right|just|hier|aquí|ici|här) )?(?:[Ii]n|[Aa]t|[Oo]n|[Nn]ear|[Ee]n|[Àà]|[Dd]ans|[Pp]å|[Ii]m|[Ii])\s+(?=\p{Lu})/u;
const ARTICLE =
  /^(?:an?|the|some|my|ein(?:e|en)?|der|die|das|meine?|una?|unos|unas|el|la|los|las|mis?|une|des?|du|les?|l'|mes|mon|ma|en|ett|min|mitt|mina)\s+(?=\S)/i;

/** Words before what something or somebody is. */
const IS_IT =
  /^(?:(?:das|es) (?:ist|wäre|sind)(?: (?:der|die|das|eine?|mein\w*))?|eine?|es un[ao]?|c'est (?:une?|le|la)|(?:he|she) is an?|he's an?|she's an?|det är (?:en|ett))\s+(?=\p{Lu}|\p{Ll}+[.! ]*$)/u;
const WORKS_AS =
  /^(?:i (?:work|'m working|am working) (?:as|in|for) (?:an? )?|ich arbeite (?:als|bei|in) (?:eine?[mr]? )?|trabajo (?:de|como|en) |je (?:travaille|bosse) (?:comme|dans|chez) |jag (?:jobbar|arbetar) (?:som|på|inom|hos) |(?:i|we) (?:drive|own|have) an? |(?:i've|we've) got an? |(?:ich|wir) (?:fahren?|haben?) eine?[nm]? |(?:conduzco|tengo|tenemos) un[oa]? |j'ai une? |je conduis une? |(?:jag|vi) (?:har|kör) e(?:n|tt) )/iu;

/** Returns a text without a lead such as "it is" and without the full stop. */
function cleanText(text: string, lexicon: Lexicon): string {
  const bare = barePreference(text.trim()).replace(lexicon.leadIn, "").replace(IS_IT, "").replace(WORKS_AS, "");
  const ended = (bare.includes(". ") ? bare : bare.replace(/[.!,;]+$/, "")).trim();
  const isShort = toTokens(ended).length <= MAX_SHORT_WORDS;
  return isShort && /^an? /i.test(ended) ? ended.replace(ARTICLE, "") : ended;
}

const MAX_SHORT_WORDS = 4;
