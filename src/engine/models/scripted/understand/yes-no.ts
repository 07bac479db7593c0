import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";

/** Words that agree although they hold a negation. */
const AGREES = wholeWords(
  "no (?:problem|worries|sweat|doubt|objections?)(?: at all)?|not a problem|why (?:not|wouldn't (?:i|we))|(?:wouldn't|would not) (?:want to )?miss(?: it| that)?|can't wait|(?:don't|wouldn't) mind|nothing (?:i'd|i would) (?:like|rather)|i'm afraid so|never better|couldn't be better|whenever you (?:like|want)|any ?time|if it can't be helped|go for it|by all means|(?:that )?(?:might be |would be |sounds like )?(?:a )?(?:very )?good idea|very much so|you bet|in a heartbeat|for sure|be my guest|if you (?:could|would|like|must)|(?:that|it)(?:'d| would|'ll| will) be (?:\\p{L}+ )?(?:lovely|great|nice|good|perfect|fine|helpful|wonderful|ideal|super|brilliant|a (?:big )?help)|mm-?hmm?|mhm+|uh-?huh|consider it done|hell yeah|go on then|no (?:trouble|bother|harm|complaints?)|(?:sounds|looks) like a plan|without (?:a )?(?:doubt|question|hesitation)|(?:wouldn't|won't|can't|couldn't) (?:hurt|argue|complain|ask for more|agree more|be (?:happier|more \\p{L}+)|say no|refuse|resist)|i'd (?:love|like|be (?:\\p{L}+ )?(?:glad|happy|delighted|honou?red|thrilled)) (?:to|that|it|one)(?!,? but)|(?:i'd |i would |i'll )?be (?:delighted|glad|thrilled|honou?red|happy) to(?!,? but)|love to(?!,? but)|go (?:right )?ahead|let's do it|not (?:a )?bad(?: idea)?|(?:don't|can't) see why not|nothing against it|all for it|i'm in(?= *[.,!]|$)|with pleasure|my pleasure|too right|damn right|and how|naturally|obviously|needless to say|(?:you can |we can )?(?:count|rely|bank) on (?:me|us)|(?:suits|fine by|works for|all right by|okay with) (?:me|us)|i'm game|if you (?:insist|wish)|goes without saying|guilty|fraid so|no getting around it|it is what it is|if (?:i|we) (?:have to|must)|" +
    "jederzeit|nie besser|besser denn je|(?:das ist )?(?:eine )?gute idee|wenn es sein muss|machen sie das|meinetwegen|von mir aus|gern geschehen|(?:das )?wäre (?:sehr |echt )?(?:nett|super|gut|toll|lieb|schön|prima|perfekt|klasse)|lass(?:e)? ich mir nicht entgehen|kein(?:e)? (?:problem|sorge|thema|frage|ding)|warum nicht|wieso nicht|nichts lieber als das|mhm|(?:schadet|stört|schlecht|übel|verkehrt)? ?(?:kann|wird|würde|wäre) (?:\\p{L}+ )?nicht (?:schaden|schlecht|verkehrt|dumm|übel|falsch)|schadet nicht|nicht (?:schlecht|übel|verkehrt)|sag(?:e)? ich nicht nein|(?:hab(?:e)?|hätte) (?:ich )?nichts dagegen|spricht nichts dagegen|kann (?:ich )?mich nicht beklagen|(?:da(?:s|mit) )?(?:wäre|ist|bin|käme) (?:mir|ich) (?:recht|dabei|einverstanden|sehr gelegen)|ganz (?:sicher|bestimmt|klar)|aber (?:sicher|klar|immer|ja|hallo|gerne?)|na (?:klar|sicher|logo|und ob|gut|schön|freilich)|und ob|logo|logisch|freilich|selbstverständlich|selbstredend|mit (?:vergnügen|freude|sicherheit)|auf jeden fall|auf alle fälle|unbedingt|ohne (?:zweifel|zu zögern|frage)|da bin ich dabei|ich bin dabei|wir sind dabei|(?<!nicht )(?:einverstanden|in ordnung)|abgemacht|leider ja|(?:das )?(?:können|dürfen) sie (?:gern(?:e)? |ruhig )?(?:machen|tun)|kann (?:mich )?nicht (?:klagen|beklagen|beschweren|meckern)|(?:klingt|hört sich) (?:sehr |echt )?(?:gut|super|prima|toll)(?: an)?|geht klar|hätte ich gern(?:e)?|" +
    "cuando (?:quiera|quieran|guste)|nunca mejor|(?:es )?(?:una )?buena idea|si (?:puede ser|no es (?:molestia|mucho pedir)|no le importa)|no me l[ao] (?:pierdo|perdería|perderé)|(?:estaría|me vendría|sería) (?:muy )?(?:bien|genial|perfecto|estupendo)|sin problema|ningún problema|no (?:hay|pasa|tengo) (?:problema|nada|inconveniente)|cómo no|por qué no|no faltaría más|no (?:estaría|vendría|me vendría|iría|viene|está) (?:nada )?mal|no (?:diría|digo|le digo|le diría) que no|no me (?:quejo|puedo quejar|importa|molesta)|no veo por qué no|no tengo nada en contra|con (?:mucho )?gusto|encantad[oa]|faltaría más|ya lo creo|y tanto|sin (?:dudarlo|duda(?: alguna)?|falta|pensarlo)|(?:la )?verdad (?:es )?que sí|(?:yo )?(?:creo|diría|pienso|supongo|parece|espero) que sí|eso sí|dale|órale|ándele|(?<!no estoy )de acuerdo|(?<!más )adelante|hágalo|háganlo|cuenten? conmigo|allí estar(?:é|emos)|por desgracia sí|me temo que sí|a mí sí|yo sí|me (?:encantaría|gustaría|apetece|interesa|parece (?:bien|perfecto|genial)|viene (?:bien|genial|perfecto))(?!,? pero)|como (?:quiera|guste|prefiera|diga)n?|no (?:me )?puedo quejar(?:me)?|suena (?:bien|genial)|" +
    "quand vous voulez|(?:c'est )?(?:une )?bonne idée|si (?:c'est )?possible|(?:je (?:ne )?(?:raterais|manquerais) (?:ça|cela)|je n'y manquerai pas)(?: pour rien(?: au monde)?)?|(?:ce )?serait (?:très )?(?:bien|gentil|super|parfait)|je veux bien|pas de (?:problème|souci)s?|aucun (?:problème|souci)|pourquoi pas|sans (?:problème|souci|faute|hésiter|hésitation|aucun doute|doute)|volontiers|(?:ce n'est |ce ne serait |ça ne serait |ce serait )?pas de refus|(?:je )?(?:ne )?(?:dis|dirais|dirai) pas non|(?:ça )?(?:ne )?(?:peut|pourrait|ferait|fera) pas (?:faire )?de (?:mal|tort)|(?:je )?n'ai rien contre|(?:c'est |ce n'est )?pas mal(?: du tout)?|avec (?:grand )?plaisir|(?:je )?(?:ne )?demande pas mieux|et comment|évidemment|les yeux fermés|(?:je )?(?:pense|crois|dirais|suppose|espère) que oui|(?:je ne )?vois pas pourquoi pas|ça marche|allez-y|faites(?:-le)?|bien entendu|naturellement|certainement|carrément|comptez sur (?:moi|nous)|(?:j'en|on en) serai[st]? ravie?s?|ravie?s?|(?:ce serait )?avec (?:grande )?(?:joie|plaisir)|(?:je ne )?peux pas me plaindre|ça me (?:va|convient|plairait|tente|dit)|j'aimerais (?:bien|beaucoup)(?!,? mais)|comme vous (?:voulez|préférez)|si vous (?:voulez|y tenez)|" +
    "när som helst|(?:det (?:är|låter som) )?(?:en )?bra idé|missar (?:jag|vi) inte|(?:det )?(?:vore|skulle vara) (?:jätte)?(?:bra|snällt|toppen|fint)|(?:det )?går (?:fint|utmärkt|jättebra)|inga problem|inget problem|varför inte|inga bekymmer|(?:det|så) (?:gör|har|är|kan|ska|vill|blir) (?:jag|vi|det)(?! inte)|jajamen(?:san)?|jajamän|(?:det )?(?:vore|skulle) inte (?:vara )?(?:så )?(?:dumt|fel|helt fel|skada|illa)|(?:det )?(?:skadar|gör) (?:nog )?inte(?: något| nåt)?(?= *[.,!]|$)|(?:jag )?säger inte nej|tackar (?:jag )?inte nej(?: till)?|(?:har )?inget emot(?: det)?|inte mig emot|inte illa|utan (?:tvekan|tvivel|att tveka)|med (?:nöje|glädje)|gärna det|självfallet|naturligtvis|såklart|så klart|givetvis|klart(?: att)?(?: jag| vi)?(?: gör| vill| kommer| är)?(?: det)?|alla gånger|det kan ni räkna med|kör (?:på|till|hårt)|okej då|javisst|jo men visst|jodå|joho|tyvärr ja|(?:det )?tror jag|hoppas jag|kan inte klaga|det ska (?:nog |väl |säkert )?gå|det (?:löser|ordnar) (?:jag|vi|sig)|det (?:blir|låter|passar) (?:bra|fint|utmärkt|toppen)|hemskt gärna|wild horses(?: \\p{L}+){0,4}",
  "giu",
);
/** Words that refuse although they hold a yes, or none of either. */
const REFUSES = wholeWords(
  "(?:i )?(?:can't|cannot) say (?:that )?(?:i|we) (?:have|do|did|am|was|would)|(?:that|it)(?:'s| is|'ll be| will be) (?:tricky|difficult|awkward|impossible)|(?:i )?doubt (?:it|that)|(?:is|are) (?:out|no good)|no need|not (?:necessary|needed)|that won't be necessary|(?:i|we)(?:'ll| will| can)? (?:just )?(?:manage|get by)|(?:count|leave) me out|(?:i )?used to|gave (?:it |them )?up|(?:i )?(?:don't|do not) think so|i think not|(?:i'm )?afraid not|of course not|certainly not|absolutely not|definitely not|i'd rather not|i would rather not|something(?:'s| has) come up|(?:i|we) quit|(?:packed|jacked|knocked|kicked) (?:it|that|them|the habit|smoking)(?: (?:in|on the head))?|stopped (?:\\p{L}+ ){0,4}ago|(?:naturally|obviously|needless to say) not|not (?:necessarily|particularly|especially|so much|my thing|for (?:me|us)|my cup of tea|really|quite|any ?more|any longer|yet|at all)|no way|no chance|fat chance|uh-uh|nuh-uh|nah|" +
    "(?:das )?bezweifle ich|(?:das )?wird (?:schwierig|eng|knapp)|nicht nötig|nicht notwendig|brauch(?:e|t|en)? (?:ich|es|wir) nicht|ohne mich|(?:schon )?(?:lange|längst) nicht mehr|(?:ich )?hab(?:e)? (?:damit |schon )?aufgehört|früher (?:mal|schon)|(?:ich )?(?:glaube|denke) (?:ich )?(?:eher )?nicht|leider nicht|lieber nicht|eher nicht|sicher nicht|(?:natürlich|selbstverständlich|freilich|logisch|klar) nicht|nicht (?:unbedingt|besonders|gerade|so recht|direkt|mein ding)|auf (?:gar )?keinen fall|noch nicht|nicht (?:mehr|wirklich)|(?:das )?wird (?:leider )?nichts|daraus wird nichts|" +
    "lo dudo|(?:va a ser |es )(?:difícil|complicado|imposible)|me (?:va|viene) (?:fatal|mal)|no (?:hace falta|es necesario)|sin mí|lo dejé|lo he dejado|ya lo dejé|antes sí|creo que no|claro que no|no (?:necesariamente|especialmente|mucho|demasiado|precisamente)|ni (?:hablar|loc[oa]|en broma)|para nada|de ninguna manera|en absoluto|por supuesto que no|desde luego que no|mejor no|prefiero que no|me temo que no|qué va|todavía no|ya no|que yo sepa,? no|" +
    "j'en doute|plus depuis|(?:ça )?(?:va être|sera|est) (?:compliqué|difficile)|(?:ce n'est |c'est )?pas (?:la peine|nécessaire)|(?:ce sera |ça sera )?sans moi|(?:j'ai|on a) arrêté|avant oui|(?:je )?(?:ne )?(?:pense|crois) pas|je (?:pense|crois) que non|bien sûr que non|(?:évidemment|naturellement|certainement|sûrement|surtout) pas|pas (?:forcément|trop|spécialement|tellement|particulièrement)|hors de question|jamais de la vie|en aucun cas|plutôt pas|malheureusement pas|plus (?:maintenant|du tout)|pas (?:encore|vraiment|du tout)|j'ai peur que non|" +
    "(?:det )?tvivlar (?:jag )?på|(?:det )?blir (?:svårt|knepigt)|(?:det )?behövs inte|inte nödvändigt|utan mig|(?:jag )?(?:har )?slutat|slutade|förr i tiden|(?:det )?tror (?:jag )?inte|helst inte|absolut inte|(?:självklart|naturligtvis|självfallet|givetvis|såklart) inte|inte (?:särskilt|nödvändigtvis|så värst|alls|precis)|aldrig i livet|under inga omständigheter|tyvärr inte|inte (?:än|längre|direkt)|knappast",
  "giu",
);
/** Two negations agree: "I wouldn't go anywhere without him", "we couldn't leave them at home". */
const AGREES_TWICE = wholeWords(
  "(?:never|nothing|nowhere|not|no|don't|can't|cannot|couldn't|won't|wouldn't|nie|nicht|nichts|nunca|nada|jamais|rien|pas|aldrig|inte|inget|kan) (?:\\p{L}+ ){0,4}(?:without|ohne|sin|sans|utan) (?:him|her|it|them|you|my|our|ihn|sie|es|ihm|mein\\p{L}*|unser\\p{L}*|él|ella|ell[oa]s|mi|mis|lui|elle|eux|mon|ma|mes|honom|henne|den|det|dem|min|mitt|mina)(?: \\p{L}+)?|" +
    "(?:can't|cannot|couldn't|wouldn't|won't|would never|could never|never) (?:\\p{L}+ )?(?:leave (?:him|her|it|them|\\p{L}+ \\p{L}+)(?: (?:at home|behind|alone|out))?|miss|refuse|turn (?:\\p{L}+ )?down|pass (?:\\p{L}+ )?up|live without|do without)(?: (?:it|that|this|them|him|her))?",
  "giu",
);
/** Words of a person who cannot, whatever they said before: "Yeah, I can't". */
const UNABLE = wholeWords(
  "(?:can't|cannot|can not|couldn't|won't|will not|wouldn't|am not able|unable to|not going to)|(?:schaffe|schaff|kann|geht|klappt|passt)(?: \\p{L}{1,12}){0,4} nicht|(?:no|tampoco) (?:puedo|podemos|voy|podré|llego|va a poder)|(?:ne )?(?:peux|pourrai|pouvons|viens|viendrai) pas|(?:kan|hinner|klarar)(?: \\p{L}{1,12}){0,2} (?:inte|tyvärr)|har inte möjlighet",
);
/** Mockery instead of an answer. */
const IRONY = wholeWords(
  "nothing better to do|as if|when (?:hell freezes|pigs fly)|yeah,? right|nichts besseres zu tun|als ob|no tengo nada mejor que hacer|cuando las ranas|que ça à faire|quand les poules|inget bättre för mig|jo,? pyttsan",
);
const FILLERS =
  /^(?:(?:oh|ah|well|um+|uh+|hm+|hmm+|erm?|so|look|listen|and|but|then|na|nun|also|ach|tja|äh+m?|aber|und|dann|pues|bueno|hombre|eh|ay|pero|y|ben|bah|bon|alors|euh|mais|et|nå|öh|asså|alltså|men|och|du)[\s,]+)+/i;
const YES =
  /^(?:yes|yeah|yep|yup|ya|sure|certainly|absolutely|definitely|of course|okay|ok|correct|right|exactly|indeed|true|ja|jawohl|jo|jep|doch(?! nicht)|klar|genau|richtig|sicher|natürlich|gerne?|stimmt|sí|si|claro|por supuesto|desde luego|vale|correcto|exacto|oui|ouais|si|bien sûr|absolument|tout à fait|d'accord|exactement|jo|ja|japp|visst|javisst|absolut|självklart|precis|gärna|\uE001)(?![\p{L}\p{N}'])[\s,]*/iu;
const NO =
  /^(?:no|nope|never|none|nothing(?! (?:better|i'd|would))|nobody|no one|neither|nein|nee|ne|nö|niemand|keine?[rs]?(?= |$)|non|nan|personne|aucune?|ningun[oa]|nadie|nej|nä|nix|ingen|inga|inget|\uE002)(?![\p{L}\p{N}'])[\s,]*/iu;
const YES_AT_END = /[\s,](?:yes|yeah|yep|sure|ja|sí|oui|jo|\uE001)$/iu;
const NO_AT_END = /[\s,](?:no|nope|nein|non|nej|\uE002)$/iu;
const CLAUSE = /[.!?;…–—]+|,|\s(?=(?:but|aber|pero|mais|men)\s)/;

/** In Spanish, "no" before a verb negates only the statement: "un perro, pero no muerde". */
const NEGATES =
  /^no (?!no\b|gracias|señora?|hombre|nada|ningun|para nada|por |a[uú]n|todav|ahora|mucho|much|en |de |del |la |el |con |lo s[eé])/iu;

/** Meaning of one clause of an answer: a particle is a word such as "yes"; a statement agrees or refuses without one. */
interface Sign {
  isYes: boolean;
  isParticle: boolean;
  isUnable: boolean;
  /** Agrees only by a word such as "can". */
  isWeak?: true;
}

/**
 * Reads a yes or no in the words of one language: the last "yes" or "no" of the answer counts, and only without one what
 * the statements say. Undefined when it is neither, or mockery. With the question, a long statement counts as a yes only
 * when it is about it.
 */
export function parseYesNo(text: string, lexicon: Lexicon, question = ""): boolean | undefined {
  if (IRONY.test(text)) return undefined;
  const signs = readSigns(text, lexicon);
  const particle = lastParticle(signs);
  if (particle !== undefined) return particle;
  if (signs.some(({ isUnable }) => isUnable)) return false;
  const [first] = signs;
  return first?.isWeak && question !== "" && !isAbout(question, text) ? undefined : first?.isYes;
}

/** True for an answer with a "yes" or a "no" of its own; any other one only states something. */
export function hasYesNo(text: string, lexicon: Lexicon): boolean {
  return lastParticle(readSigns(text, lexicon)) !== undefined;
}

let last: { text: string; lexicon: Lexicon; signs: Sign[] } | undefined;

/** Returns the signs of a text; an answer is read twice, and kept until the next one. */
function readSigns(text: string, lexicon: Lexicon): Sign[] {
  if (last?.text !== text || last.lexicon !== lexicon) last = { text, lexicon, signs: readAnew(text, lexicon) };
  return last.signs;
}

function readAnew(text: string, lexicon: Lexicon): Sign[] {
  const marked = text
    .replaceAll(REFUSES, " \uE002 ")
    .replaceAll(AGREES_TWICE, " \uE001 ")
    .replaceAll(AGREES, " \uE001 ");
  return marked.split(CLAUSE).flatMap((clause) => readClause(clause.trim(), lexicon));
}

/** Returns what the last "yes" or "no" says; a yes does not hold against what the person cannot do. */
function lastParticle(signs: Sign[]): boolean | undefined {
  const particle = signs.findLast(({ isParticle }) => isParticle);
  if (!particle) return undefined;
  const after = signs.slice(signs.indexOf(particle) + 1);
  return particle.isYes && after.some(({ isUnable }) => isUnable) ? false : particle.isYes;
}

const SHORT_WORDS = 2;
/** "I'll remember" answers whether somebody will remember, and nothing else. */
const PROMISES = /^i'll \p{L}/iu;
const VERB_LETTERS = 3;

/** True for a statement without a yes that still answers the question: it is short, begins as one, or repeats its words. */
function isAbout(question: string, text: string): boolean {
  const words = toTokens(text);
  if (words.length <= SHORT_WORDS && !PROMISES.test(text)) return true;
  const asked = toTokens(question).filter((word) => word.length > VERB_LETTERS);
  return asked.some((word) =>
    words.some((said) => said.length > VERB_LETTERS && said.slice(0, 4) === word.slice(0, 4)),
  );
}

/** Words that agree only by themselves: "he left a right mess" does not. */
const ONLY_ALONE =
  /^(?:right|sure|true|correct|exactly|ok|okay|fine|seguro|correcto|vale|si|exact|certain|klar|sicher|gut)$/i;
const BEFORE_ALONE =
  /(?:^|(?:that|it|all|is|are|be|'s|'re|am|quite|das|ist|alles|es|está|todo|c'est|est|tout|det|är|allt|for|me|by|sounds|seems))[\s,]+$/i;

function agrees(clause: string, lexicon: Lexicon): boolean {
  const match = lexicon.yes.exec(clause);
  if (!match) return false;
  return match.index === 0 || !ONLY_ALONE.test(match[0]) || BEFORE_ALONE.test(clause.slice(0, match.index));
}

function readClause(clause: string, lexicon: Lexicon): Sign[] {
  const signs: Sign[] = [];
  let rest = clause;
  for (;;) {
    rest = rest.replace(FILLERS, "");
    const yes = YES.exec(rest);
    const no = yes ? null : NO.exec(rest);
    const found = yes ?? no;
    if (
      !found ||
      (no && NEGATES.test(rest) && lexicon.code === "es") ||
      (no && /^never\s/i.test(rest) && rest.length > 12)
    )
      break;
    signs.push({ isYes: yes !== null, isParticle: true, isUnable: false });
    rest = rest.slice(found[0].length);
  }
  const isUnable = UNABLE.test(rest);
  if (YES_AT_END.test(rest)) signs.push({ isYes: true, isParticle: true, isUnable: false });
  else if (NO_AT_END.test(rest)) signs.push({ isYes: false, isParticle: true, isUnable: false });
  else if (rest !== "") {
    const refuses = lexicon.no.test(rest) || rest.includes("\uE002");
    if (refuses || isUnable) signs.push({ isYes: false, isParticle: false, isUnable });
    else if (rest.includes("\uE001")) signs.push({ isYes: true, isParticle: true, isUnable: false });
    else if (agrees(rest, lexicon)) signs.push({ isYes: true, isParticle: false, isUnable: false });
    else if (lexicon.weakYes.test(rest)) signs.push({ isYes: true, isParticle: false, isUnable: false, isWeak: true });
  }
  return signs;
}
