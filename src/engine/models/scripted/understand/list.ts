import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";
import { saysNothing } from "./choice.ts";
import { dropHesitation } from "./hesitation.ts";
import { isBareYesNo } from "./intent.ts";

const WHOSE = "(?:my|our|his|her|the|mein(?:e|er|en)?|unser(?:e|er)?|mi|mis|su|mon|ma|mes|notre|nos|min|mitt|mina|vår)";
const WHO = `(?:i|we|he|she|it|they|ich|wir|er|sie|es|je|j'|il|elle|on|nous|jag|vi|han|hon|det|${WHOSE} \\p{L}+)`;

/** Matches the words before the first thing of a list: who has it, takes it or is it. */
const LEADS = [
  /^(?:(?:yes|yeah|well|oh|so|just|only|nur|solo|juste|bara|mostly|mainly|probably|ja|also|na ja|meistens|hauptsächlich|sí|pues|bueno|sobre todo|oui|alors|ben|surtout|jo|mest|främst)[,.]?\s+)+/i,
  new RegExp(
    `^${WHO} ?(?:'m|'s|'re|'ve|(?:am|is|are|have|has|bin|ist|sind|habe?|hat|haben|suis|est|sommes|ai|a|avons|är|har|es|son)(?= ))(?: got)?\\s+`,
    "iu",
  ),
  new RegExp(
    `^(?:${WHO} ?)?(?:would |'d |can |could |only |just |kann |kan )?(?:takes?|needs?|likes?|wants?|speaks?|knows?|uses?|eats?|plays?|nehmen?|nimmt|brauchen?|braucht|sprechen?|spricht|möchten?|hätten? gern|kenne|tom(?:o|a|amos)|teng(?:o|emos)|tiene|necesit(?:o|a|amos)|habl(?:o|a)|us(?:o|a)|quier[oe]|so(?:y|mos)|es|son|prend[s]?|prenons|parle|utilise|veux|voudrais|tar|behöver|talar|kan|vill ha|använder)\\s+`,
    "iu",
  ),
  /^(?:(?:very |sehr |muy |très |mycket )?(?:allergic|intolerant|sensitive|allergisch|alérgic[oa]s?|intolerante|allergiques?|allergisk|känslig) (?:to|auf|gegen|a(?:l)?|à|aux?|mot|för)|gegen|auf|to|mot)\s+/i,
  /^(?:there(?:'s| is| are)|es gibt|hay|il y a|det finns|it's|that's|das (?:ist|sind)|c'est|det är)\s+/i,
];
/** For whom a thing is, and words that add nothing behind it. */
const TAIL = wholeWords(
  `(?:for|für|para|pour|för|till) (?:${WHOSE} \\p{L}+(?:-\\p{L}+)*|me|us|mich|uns|mí|moi|nous|mig|oss)|allergisch|please|bitte|por favor|s'il vous plaît|tack|mostly|mainly|i (?:think|guess|suppose)|glaube ich|creo|je crois|tror jag|only|nothing else|that's (?:it|all)`,
);
const REMARK = wholeWords(
  "(?:and )?(?:nothing else|that's (?:it|all|about it)|mostly|mainly|i (?:think|guess|suppose)|please|sonst nichts|das (?:ist|war) alles|bitte|nada más|eso es todo|c'est tout|rien d'autre|inget annat|det är allt)",
);
const ARTICLE = new RegExp(
  `^(?:(?:a (?:little|bit of)|etwas|ein bisschen|un poco de|un peu de|lite|a l[ao]s?|an?|the|some|any|ein(?:e|en)?|der|die|das|dem|den|al|a|el|l[ao]s?|un[ao]s?|une?|du|de la|de l'|des|les?|la|l'|aux?|à la|à l'|en|ett|och|and|y|et|${WHOSE})\\s+|(?:de l'|l'|à l'))(?=\\S)`,
  "iu",
);

/** Returns the items of a list: "nuts, milk and eggs". Empty for nothing. */
export function understandList(text: string, lexicon: Lexicon): string[] | undefined {
  if (saysNothing(text, lexicon)) return [];
  const said = dropHesitation(text.trim()).replace(/[.!;]+$/, "");
  if (said === "" || isBareYesNo(said, lexicon)) return undefined;
  const bare = LEADS.reduce((rest, lead) => rest.replace(lead, ""), said);
  const items = bare
    .split(/[,;]|\.\s/)
    .flatMap((part) => part.split(lexicon.and))
    .map((item) => cleanItem(item))
    .filter((item) => item !== "");
  return items.length > 0 ? items : undefined;
}

function cleanItem(item: string): string {
  const said = item.trim();
  if (said.replace(REMARK, "").trim() === "") return "";
  const bare = LEADS.slice(1).reduce((rest, lead) => rest.replace(lead, ""), said);
  return bare
    .replace(TAIL, "")
    .trim()
    .replace(ARTICLE, "")
    .replace(/^l'(?=\p{L})/iu, "")
    .trim();
}
