import type { Field } from "#src/engine/models/scripted/fields.ts";
import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";
import { saysNothing } from "./choice.ts";
import { dropHesitation } from "./hesitation.ts";
import { isBareYesNo } from "./intent.ts";

const WHOSE = "(?:my|our|his|her|the|mein(?:e|er|en)?|unser(?:e|er)?|mi|mis|su|mon|ma|mes|notre|nos|min|mitt|mina|vår)";
const WHO = `(?:i|we|he|she|it|they|you|ich|wir|er|sie|es|man|yo|nosotros|él|ella|je|j'|il|elle|on|nous|moi|jag|vi|han|hon|det|man|${WHOSE} \\p{L}+)`;
/** Verbs, and words beside them, by which people say that they have, can do, take or cannot stand a thing. */
const VERBS =
  "(?:(?:i)?'(?:m|s|re|ve|d|ll)|am|is|are|be|been|have|has|had|having|got|would|will|can|could|can't|cannot|couldn't|don't|doesn't|do|does|not|never|only|just|also|love|likes?|prefer|hates?|eats?|drinks?|takes?|taking|needs?|wants?|speaks?|knows?|uses?|plays?|tolerates?|handle|stand|avoids?|offers?|mostly|mainly|really|into|enjoy|" +
  "bin|ist|sind|habe?|hab|hat|haben|hätten? gern|möchten?|würden?|könnten?|kann|können|nehmen?|nimmt|brauchen?|braucht|sprechen?|spreche|spricht|essen?|esse|isst|trinke|mag|mögen|vertr(?:age|ägt|agen)|kenne?n?|spielen?|spiele|nicht|kein(?:e[nr]?|s)?|nie|auch|nur|eigentlich|" +
  "soy|es|somos|son|est(?:oy|á|amos|án)|teng(?:o|a)|tiene|tenemos|tom(?:o|a|amos)|necesit(?:o|a|amos)|habl(?:o|a|amos)|us(?:o|a)|quier[eo]|queremos|com(?:o|e|emos)|beb(?:o|e)|sé|sabe|puedo|puede|no|ni|tampoco|también|solo|sólo|" +
  "suis|est|sommes|sont|ai|a|avons|as|ont|prends?|prenons|parle|parlons|utilise|veux|voudrais|mange|bois|fais|peux|peut|sais|supporte|aime|ne|n'|n'aime|pas(?: de)?|jamais|plus|aussi|juste|seulement|" +
  "är|har|tar|behöver|talar|pratar|kan|vill ha|vill|använder|äter|dricker|tål|gillar|spelar|inte|aldrig|inga|inget|ingen|bara|också)";

/** Matches the words before the first thing of a list: who has it, takes it or is it. */
const LEADS = [
  /^(?:(?:yes|yeah|well|oh|so|just|only|um+|uh+|let's see|nur|solo|juste|bara|mostly|mainly|probably|ja|also|na ja|meistens|hauptsächlich|vor allem|sí|pues|bueno|sobre todo|oui|alors|ben|surtout|jo|mest|främst)[,.]?\s+)+/i,
  new RegExp(`^(?:(?:and|but|und|aber|y|et|och|men) )?${WHO}(?=[ ']| ?'|(?<=')) ?${VERBS}(?: ?${VERBS})*\\s+`, "iu"),
  new RegExp(`^(?:${VERBS}\\s+)(?:${VERBS}\\s+)*`, "iu"),
  new RegExp(`^(?:yo|ich|moi|jag|i|él|ella|er|sie|han|hon),?\\s+(?:${VERBS}\\s+)*`, "iu"),
  /^(?:(?:very |sehr |muy |très |mycket )?(?:allergic|intolerant|sensitive|allergisch|alérgic[oa]s?|intolerante|allergiques?|allergisk|känslig) (?:to|auf|gegen|a(?:l)?|à|aux?|mot|för)|gegen|auf|to|mot)\s+/i,
  /^(?:there(?:'s| is| are)|es gibt|hay|il y a|det finns|it's|that's|das (?:ist|sind)|c'est|det är)\s+/i,
];
/** For whom a thing is, and words that add nothing behind it. */
const TAIL = wholeWords(
  `(?:for|für|para|pour|för|till) (?:${WHOSE} \\p{L}+(?:-\\p{L}+)*|me|us|mich|uns|mí|moi|nous|mig|oss)(?= *$)|(?:since|for|seit|desde|depuis|sedan) (?:yesterday|gestern|ayer|hier|i går|\\p{L}+day|(?:a|two|three|about) .*|einer .*|hace .*|letzte\\p{L}* .*)$|(?:sehr |ganz )?gern(?:e)?$|allergisch|please|bitte|por favor|s'il vous plaît|tack|mostly|mainly|of course|obviously|natürlich|claro|por supuesto|bien sûr|förstås|såklart|too|as well|auch|también|aussi|också|i (?:think|guess|suppose)|glaube ich|creo|je crois|tror jag|only|nothing else|that's (?:it|all)`,
);
const REMARK = wholeWords(
  "(?:and )?(?:nothing else|that's (?:it|all|about it)|mostly|mainly|i (?:think|guess|suppose)|please|sonst nichts|das (?:ist|war) alles|bitte|nada más|eso es todo|c'est tout|rien d'autre|inget annat|det är allt)",
);
const ARTICLE = new RegExp(
  `^(?:(?:(?:um+|uh+|äh+m?|eh|euh|öh)|a (?:little|bit of)|a little bit of|(?:little|bit|poco|peu) (?:of|de)|some|etwas|ein bisschen|ein wenig|algo de|un poco de|un poco|un peu de|lite|a l[ao]s?|one|an?|the|some|any|ein(?:e|en)?|der|die|das|dem|den|al|a|el|l[ao]s?|un[ao]s?|une?|du|de la|de l'|des|les?|la|l'|aux?|à la|à l'|en|ett|och|and|y|et|${WHOSE})[\\s,]+|(?:de l'|l'|à l'|un peu d'))(?=\\S)`,
  "iu",
);
/** Asks for what somebody does without, so that "no onions" names onions. */
const AVOIDS =
  /dislike|don't (?:you )?(?:like|eat)|avoid|allerg|intoleran|exclud|without|leave out|unverträg|mögen sie nicht|nicht (?:essen|mögen)|alergi|no (?:come|le gusta|tolera)|evita|n'aime|aimez pas|(?:mangez|mange) pas|éviter|dislikes|doesn't (?:like|eat)|tål|äter (?:du|ni) inte|undvik|diet|ernährung|dieta|régime|kost/i;
const NO = /^(?:(?:no|not|kein(?:e[nr]?)?|pas(?: de)?|inga|inget|ingen)\s+|pas d')/iu;
const OR = wholeWords("or|nor|oder|o|ni|ou|eller");

/** Returns the items of a list: "nuts, milk and eggs". Empty for nothing. */
export function understandList({ about, path }: Field, text: string, lexicon: Lexicon): string[] | undefined {
  if (saysNothing(text, lexicon)) return [];
  const said = dropHesitation(text.trim()).replace(/[.!;]+$/, "");
  if (said === "" || isBareYesNo(said, lexicon)) return undefined;
  const mayDeny = AVOIDS.test(`${about} ${path.join(" ")}`);
  const bare = stripLeads(said, LEADS, mayDeny);
  const items = bare
    .split(/[,;]|\.\s/)
    .flatMap((part) => part.split(lexicon.and))
    .flatMap((part) => part.split(OR))
    .map((item) => cleanItem(item, mayDeny))
    .filter((item) => item !== "");
  return items.length > 0 ? items : undefined;
}

/** Takes the words before a thing away; with those that deny it only where the list is of what somebody avoids. */
function stripLeads(text: string, leads: RegExp[], mayDeny: boolean): string {
  const isDenied = NO.test(text) && !mayDeny;
  return leads.reduce((rest, lead) => {
    const left = rest.replace(lead, "");
    return left === "" || isDenied ? rest : left;
  }, text);
}

function cleanItem(item: string, mayDeny: boolean): string {
  const said = item.trim();
  if (said.replace(REMARK, "").trim() === "") return "";
  const bare = stripLeads(said, LEADS, mayDeny);
  const plain = (mayDeny ? bare.replace(NO, "") : bare).replace(TAIL, "").trim();
  return toSingularDay(
    plain
      .replace(ARTICLE, "")
      .replace(ARTICLE, "")
      .replace(ARTICLE, "")
      .replace(/^(?:l'|(?:peu )?d')(?=\p{L})/iu, "")
      .trim(),
  );
}

const DAYS =
  /^((?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|(?:mån|tis|ons|tors|fre|lör|sön)dag|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?:s|ar)$/i;

/** Returns the day of "Mondays" and "montags". */
function toSingularDay(item: string): string {
  const day = DAYS.exec(item)?.[1];
  if (day === undefined) return item;
  return /(?:tag|woch)$/.test(day) ? (day[0] ?? "").toUpperCase() + day.slice(1) : day;
}
