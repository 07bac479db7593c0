import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseNumber } from "./number.ts";

/** An answer that only repeats the verb: "they are", "I haven't", "je le suis", "hab ich". */
const YES_VERB =
  /^(?:(?:oh |well )?(?:they|it|we|he|she|there|i|you|that|this|mine|ours) (?:(?:still|sure|certainly|definitely|already|really|all) )?(?:am|are|is|do|does|did|have|has|was|were|will|would|can|could|should)(?: (?:too|indeed|already|now|actually|still|all|at the moment|right now|currently))?|(?:sure|certainly) (?:do|did|is|are|am|have|has|was|will|can)|(?:das )?(?:bin|hab|habe|ist|sind|haben|kann|mach|mache|tu|werde) (?:ich|wir|er|sie|es)(?: schon| auch)?|(?:lo|la) (?:soy|es|estoy|tengo|son)|(?:je|on|il|elle|nous) (?:le |l'|en )(?:suis|ai|est|a|sommes|avons)|det (?:är|har|gör|gjorde|kan|ska|vill) (?:jag|vi|den|det|han|hon|de)|(?:i|we)(?:'ve| have) had (?:it|one|them|mine|that)(?: (?:since|for) .*)?|(?:i|we)(?: can| could| will|'ll| would|'d) (?:do|manage|handle|arrange) (?:that|it)|(?:all )?done|(?:already )?(?:did|sent|paid)(?: (?:it|that|them))?(?: (?:already|yesterday|today|last \p{L}+))?)[.! ]*$/iu;
const NO_VERB =
  /^(?:(?:they|it|we|he|she|there|i|you|that|this) (?:'m not|am not|(?:are|is|do|does|did|have|has|was|were|wo|would|ca|could|should)n't)(?: (?:any|one|yet))?|(?:bin|hab|habe|ist|sind|haben|kann|mach|mache) (?:ich|wir|er|sie|es) (?:(?:noch|leider|gar|auch) )?nicht|det (?:är|har|gör|gjorde|kan|ska|vill) (?:jag|vi|den|det|han|hon|de) (?:tyvärr )?inte)[.! ]*$/iu;

const ASKS_FOR_SOME =
  /^(?:(?:so|and|und|y|et|och)[, ]+)?[¿¡]?(?:(?:do|have|are|is|did) (?:you|there|your \p{L}+)(?: (?:have|got|see|notice|noticed|take|own|keep))?\b|any\b|haben sie|hast du|gibt es|besitzen sie|nehmen sie|(?:usted )?tienen?\b|hay\b|toma\b|avez-vous|y a-t-il|prenez-vous|possédez-vous|har (?:du|ni)|finns det|äger du)/iu;
const SOME =
  /^(?:(?:yes|yeah|oh|well|just|only|about|nur|bloß|sí|solo|oui|juste|bara|there(?:'s| is| are)|i(?:'ve got| have)|we(?:'ve got| have)|hay|il y a|es gibt|det finns)[, ]+)*(?:an? (?!little while)(?:\p{L}+)|one|some|several|a few|many|lots|plenty|loads|eine?[nr]?|einige|mehrere|ein paar|viele|una?|algun[oa]s?|vari[oa]s|much[oa]s|une?|plusieurs|quelques|des|ett|en|några|flera|många)(?= |[.,!]|$)/iu;

/**
 * Reads what an answer without a yes or no implies: it repeats the verb, or names what the question asks for ("Do you
 * have pets?" "A dog and two cats."). Undefined when it implies neither.
 */
export function impliedYesNo(question: string, text: string, lexicon: Lexicon): boolean | undefined {
  const [first = ""] = text.split(/[,;.!](?:\s|$)/);
  if (NO_VERB.test(first)) return false;
  if (YES_VERB.test(first)) return true;
  const answered = topicalYesNo(question, text, lexicon);
  if (answered !== undefined) return answered;
  if (ASKS_FOR_SOME.test(question) && IN_PROGRESS.test(text)) return false;
  if (ONLY_WHEN.test(first)) return true;
  if (ASKS_FOR_SOME.test(question) && OF_WHOM.test(text)) return true;
  if (ASKS_FOR_SOME.test(question) && ONLY_SOME.test(first) && !lexicon.no.test(first)) return true;
  if (AT_TIMES.test(first) && !lexicon.no.test(first)) return true;
  if (repeats(question, first, lexicon)) return true;
  if (!ASKS_FOR_SOME.test(question) || lexicon.no.test(first)) return undefined;
  const number = toTokens(first).length <= MAX_WORDS ? parseNumber(first, lexicon) : undefined;
  return SOME.test(first) || (number !== undefined && number > 0) ? true : undefined;
}

/** Words for something that is still to come: one does not have it yet. */
const IN_PROGRESS = wholeWords(
  "(?:still )?(?:working on (?:it|that|getting)|in the (?:process|middle) of|getting there|taking (?:lessons|the course)|waiting (?:for|on) (?:it|one|them)|about to (?:get|buy|apply))|not quite there|(?:mache|hole|besorge|beantrage) (?:ich )?(?:ihn|sie|es|das|den|die)? ?(?:mir )?(?:gerade|noch|erst|bald)|(?:bin|sind) (?:ich |wir )?(?:gerade |noch )?(?:dabei|dran|am \\p{L}+)|(?:me )?l[oa]s? estoy \\p{L}+ndo|estoy (?:en ello|\\p{L}+ndol[oa]s?)|en ello estoy|en trámite|(?:suis|sommes|est) en train de|en cours|c'est en cours|håller på|är på gång|väntar på",
);
/** Words for only one kind of something: one has some. */
const ONLY_SOME =
  /^(?:(?:well|only|just|nur|bloß|lediglich|na ja|solo|sólo|solamente|pues|juste|seulement|que|bara|endast|mostly|mainly|a bit of|a little|etwas|ein bisschen|un poco de|un peu de|lite)[, ]+)+(?!(?:looking|asking|checking|a (?:moment|second|minute)|because|if|wenn|si|om)\b)\p{L}+(?: \p{L}+){0,3}[.! ]*$/iu;

/** Words for something done only at times: one does it. */
const ONLY_WHEN =
  /^(?:(?:well|oh|just|only|nur|bloß|solo|sólo|solamente|pues|juste|seulement|uniquement|bara|endast)[, ]+)*(?:just|only|nur|bloß|solo|sólo|solamente|juste|seulement|uniquement|bara|endast) (?:for|on|at|in|when|with|socially|occasionally|sometimes|during|a (?:bit|little)|am|im|bei|zu[mr]?|abends|beim|gelegentlich|manchmal|wenn|los|las|en|cuando|por|para|con|de vez|un poco|le|les|pour|quand|à|en|au|un peu|på|när|vid|ibland|i|till|lite)(?![\p{L}])(?! (?:moment|second|minute|now|case|time|augenblick|this|einem))/iu;
/** "With Allianz", "through work": by whom somebody has it. */
const OF_WHOM =
  /^(?:(?:[Ww]ell|[Ii]t's|[Jj]a|[Pp]ues|[Bb]ueno|[Oo]ui|[Jj]o)[, ]+)?(?:[Ww]ith|[Tt]hrough|[Bb]y|[Vv]ia|[Bb]ei|[Üü]ber|[Cc]on|[Pp]or|[Cc]hez|[Pp]ar|[Hh]os|[Gg]enom) (?:\p{Lu}|my (?:work|job|employer)|work)/u;

const STATES =
  /^(?:(?:it|they|he|she|we|i|there|that)(?:'s|'re|'m| is| are| am| was| were)|(?:er|sie|es|ich|wir|das) (?:ist|sind|bin|war|waren)|(?:es|está|son|están|estoy|somos|soy)|(?:il|elle|ils|elles|je|c'|on) ?(?:est|sont|suis)|(?:det|den|de|jag|vi|han|hon) (?:är|var))(?= )/iu;
const HEDGED = wholeWords(
  "or|oder|o|ou|eller|if|wenn|almost|nearly|hardly|barely|fast|kaum|casi|apenas|presque|à peine|nästan|knappt|never|too",
);

/** True for a statement in the words of the question: "They're brand new", "clean as a whistle". */
function repeats(question: string, text: string, lexicon: Lexicon): boolean {
  if (lexicon.no.test(text) || HEDGED.test(text)) return false;
  const asked = new Set(toTokens(question).slice(1));
  const [first = ""] = toTokens(text.replace(INTENSE, ""));
  if (!STATES.test(text)) return first.length > VERB_LETTERS && asked.has(first) && toTokens(text).length <= MAX_WORDS;
  return toTokens(text.replace(STATES, "")).some((word) => word.length > 2 && !EMPTY.has(word) && asked.has(word));
}

const INTENSE =
  /^(?:(?:oh|well|yeah|way|much|far|a lot|a good (?:deal|bit)|even|quite|very|so|super|really|absolutely|totally|viel|deutlich|sehr|ganz|total|mucho|muy|bastante|beaucoup|bien|très|vraiment|mycket|jätte|väldigt)[, ]+)+/iu;
const EMPTY = new Set(
  "the you your for with and der die das und für mit los las con para les des pour avec och för med".split(" "),
);
const MAX_WORDS = 6;
const VERB_LETTERS = 4;
/** A subject of questions, with words that say yes and no to them. */
interface Topic {
  about: RegExp;
  yes: RegExp;
  no: RegExp;
}

const TOPICS: Topic[] = [
  {
    about: wholeWords("on time|in time|punctual|pünktlich|puntual|a tiempo|à l'heure|ponctuel(?:le)?|i tid|punktlig"),
    yes: wholeWords(
      "on time|in time|punctual|early|pünktlich|puntual|a tiempo|à l'heure|ponctuel(?:le)?|i tid|punktlig",
    ),
    no: wholeWords(
      "late|delayed|verspätet|verspätung|zu spät|später|tarde|retraso|retrasad[oa]|en retard|retard|sen|sena|försenad(?:e)?",
    ),
  },
  {
    about: wholeWords(
      "receive|received|arrived?|get our|erhalten|bekommen|angekommen|recib\\p{L}+|lleg\\p{L}+|reçu|arrivée?|fått|kommit|kom fram",
    ),
    yes: wholeWords(
      "came|arrived|got (?:it|them|that)|received|angekommen|ist da|(?:hab|habe) (?:ich|es|ihn)|llegó|llegaron|recibí|(?:l'ai|l'a|l'avons) (?:eu|reçue?)|est arrivée?|kom|fick|har fått",
    ),
    no: wholeWords("nothing|waiting|nichts|warte|nada|esperando|rien|attends|inget|väntar"),
  },
  {
    about: wholeWords(
      "happy|satisfied|pleased|enjoy|like it|zufrieden|gefallen|content[oa]?|satisfech[oa]|gustó|satisfaite?|contente|plu|nöjd|gillade",
    ),
    yes: wholeWords(
      "brilliant|great|excellent|lovely|fantastic|wonderful|perfect|superb|delighted|loved|super|toll|prima|klasse|hervorragend|genial|estupend[oa]|excelente|encantad[oa]|excellente?|formidable|jättebra|toppen|utmärkt",
    ),
    no: wholeWords(
      "mess|terrible|awful|rude|poor|disappoint\\p{L}*|horrible|dreadful|furchtbar|schlecht|enttäusch\\p{L}*|katastrophe|fatal|mal|decepcion\\p{L}*|nul|mauvais|décev\\p{L}*|déçue?|dålig|besviken|hemsk",
    ),
  },
  {
    about: wholeWords(
      "solved?|fix(?:ed)?|working|behoben|gelöst|funktioniert|solucion\\p{L}+|arregl\\p{L}+|funciona|résolu|réparée?|marche|löst|fungerar|åtgärdat",
    ),
    yes: wholeWords(
      "works|working (?:fine|well|again|perfectly)|sorted|fixed|like new|läuft|funktioniert|funciona|arreglado|marche|fonctionne|fungerar",
    ),
    no: wholeWords(
      "still (?:the same|broken|leaking|not)|same (?:problem|issue)|no better|immer noch|sigue igual|toujours pareil|fortfarande|samma problem",
    ),
  },
  {
    about: wholeWords(
      "insur(?:ed|ance)|cover(?:ed|age)?|versichert|versicherung|segur[oa]|asegurad[oa]|assurée?s?|assurance|försäkr\\p{L}+",
    ),
    yes: wholeWords(
      "covered|insured|(?:full|basic) cover(?:age)?|versichert|cubiert[oa]|asegurad[oa]|assurée?s?|couverte?s?|försäkrad",
    ),
    no: wholeWords("uninsured|unversichert|privately|lapsed"),
  },
  {
    about: wholeWords("clean|sauber|limpi[oa]|propre|vierge|ren|tidy|in good (?:order|condition|shape)"),
    yes: wholeWords(
      "spotless|squeaky|immaculate|not a (?:scratch|mark|point)|(?:no|keine|sin|aucun|inga) (?:points|tickets|punkte|multas|accidents?|prickar)|like new|wie neu|como nuev[oa]|comme neuf|som ny",
    ),
    no: wholeWords("dirty|a (?:few )?(?:ticket|tickets|points?|mess)|schmutzig|suci[oa]|sale|smutsig"),
  },
  {
    about: wholeWords("own(?:er)?|eigentümer|gehört|propietari[oa]|dueñ[oa]|propriétaire|äger|ägare"),
    yes: wholeWords(
      "own|bought|belongs to (?:me|us)|mine|ours|eigentum|gehört (?:mir|uns)|propi[oa]|mí[oa]|à (?:moi|nous)|äger",
    ),
    no: wholeWords(
      "rent(?:ing|ed)?|tenants?|landlord|miete|mieter(?:in)?|alquil\\p{L}+|inquilin[oa]|lou(?:e|ons)|locataires?|hyr|hyresgäst",
    ),
  },
  {
    about: wholeWords(
      "do you want|would you like|should we|shall we|shall i|möchten sie|sollen wir|soll ich|quiere|desea|voulez-vous|souhaitez-vous|vill du|ska vi",
    ),
    yes: wholeWords(
      "i'll take (?:it|that|one)|please|nehme ich|bitte|me l[oa] quedo|por favor|je (?:le |la )?prends|s'il vous plaît|(?:den|det) tar jag",
    ),
    no: wholeWords("skip|pass|leave it|lasse ich|lo dejo|je passe|hoppar över"),
  },
  {
    about: wholeWords(
      "coming|come|attend|join|make it|kommen|teilnehmen|dabei|asistir\\p{L}*|vendrá|venir|viene a|viendrez|présente?|kommer|deltar",
    ),
    yes: wholeWords(
      "be there|coming|we'll come|i'll come|count (?:me|us) in|dabei|(?:komme|kommen) (?:gern|auf jeden fall)|ahí estaré(?:mos)?|allí estaré(?:mos)?|cuente conmigo|(?:serai|serons|sera) là|comptez sur (?:moi|nous)|räkna med",
    ),
    no: wholeWords(
      "have to pass|(?:came|come) up|sit this one out|be away|out of town|verhindert|dazwischengekommen|absagen|surgió|de viaje|empêchement|förhindrad|bortrest",
    ),
  },
  {
    about: wholeWords(
      "plus one|bring (?:someone|a guest|anyone)|begleit\\p{L}+|acompañad[oa]|accompagnée?|sällskap|ta med",
    ),
    yes: wholeWords(
      "(?:wife|husband|partner|friend|girlfriend|boyfriend)(?:'s| is)?|two of us|zu zweit|con mi|avec m(?:a|on)|med min|meine frau|mein mann",
    ),
    no: wholeWords("just me|alone|by myself|on my own|allein|sol[oa]|seule?|ensam|bara jag|nur ich|solo yo"),
  },
  {
    about: wholeWords(
      "still (?:correct|the same|right|valid)|noch (?:richtig|aktuell)|sigue siendo|toujours (?:la|le|exacte?)|fortfarande|stämmer",
    ),
    yes: wholeWords(
      "nothing(?:'s| has)? changed|the same|unchanged|unverändert|sigue igual|sin cambios|inchangée?|oförändra\\p{L}+",
    ),
    no: wholeWords("moved|different|new one|umgezogen|neue|mudado|mudamos|nuev[oa]|déménagé|nouvelle|flyttat|ny"),
  },
  {
    about: wholeWords("before|ever|already been|schon (?:mal|einmal)|antes|alguna vez|déjà|tidigare|förut|någonsin"),
    yes: wholeWords(
      "(?:many|lots of|several|a few) times|regulars?|often|öfter|schon oft|muchas veces|souvent|plusieurs fois|ofta|flera gånger",
    ),
    no: wholeWords("first time|(?:das )?erste mal|zum ersten mal|primera vez|première fois|första gången"),
  },
  {
    about: wholeWords("urgent|emergency|dringend|urgente|brådskande|akut|pressée?"),
    yes: wholeWords(
      "asap|as soon as possible|right away|sofort|so schnell wie möglich|cuanto antes|ya|au plus vite|genast",
    ),
    no: wholeWords("can wait|no (?:rush|hurry)|kann warten|hat zeit|puede esperar|sin prisa|peut attendre|kan vänta"),
  },
];

/** Reads an answer in the words of the question's subject: "he was late" to "Was he on time?" */
function topicalYesNo(question: string, text: string, lexicon: Lexicon): boolean | undefined {
  const topic = TOPICS.find(({ about }) => about.test(question));
  return topic && readTopic(topic, text, lexicon);
}

/** Reads the words of a topic. Both at once, or a negation, say nothing. */
function readTopic({ yes, no }: Topic, text: string, lexicon: Lexicon): boolean | undefined {
  const isYes = yes.test(text);
  const isNo = no.test(text);
  if (isYes === isNo || (isYes && lexicon.no.test(text))) return undefined;
  return isYes;
}

/** Matches the time for which, or how often, something is so. */
const AT_TIMES =
  /^(?:(?:for|since|seit|desde(?: hace)?|hace|depuis|sedan|i(?= (?:\p{L}+ )?(?:flera |många )?(?:år|månad|veck))) (?:[\p{L}\d]+ ){0,3}(?:years?|months?|weeks?|days?|(?:19|20)\d\d|jahre?n?|monate?n?|wochen?|años?|mes(?:es)?|semanas?|ans?|mois|semaines?|år|månad(?:er)?|veck(?:a|or))|once|twice|(?:\p{L}+ )?(?:many|several|a few|a couple of) times|(?:ein|zwei|drei|mehr)mal|(?:una vez|(?:dos|tres|varias|muchas) veces)|(?:une|deux|trois|plusieurs) fois|(?:en gång|(?:två|tre|flera) gånger)|(?:\p{L}+(?:'s)? ){0,3}always(?: \p{L}+)*)(?=[.,! ]|$)/iu;
