/** Words of a language that help decide whose turn it is. All words are plain: lower case, without accents. */
export interface TurnWords {
  /** Sounds of a person who is thinking. */
  fillers: ReadonlySet<string>;
  /** Words that hardly end a sentence. */
  openers: ReadonlySet<string>;
  /** Words that show that the person listens. */
  backchannels: ReadonlySet<string>;
  /** Digits as they are said one by one. */
  digits: ReadonlySet<string>;
  /** Words that people say when they pick up, including those around a name. */
  greetings: ReadonlySet<string>;
  /** Whole answers that need nothing more. */
  answers: ReadonlySet<string>;
}

/** Splits a text into plain words: lower case, without accents and punctuation. */
export function toPlainWords(text: string): string[] {
  return toPlain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function toPlain(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\p{M}'’]/gu, "")
    .replaceAll("ß", "ss");
}

const words = (list: string): ReadonlySet<string> => new Set(toPlain(list).split(/\s+/));
const phrases = (list: string): ReadonlySet<string> =>
  new Set(list.split(",").map((phrase) => toPlainWords(phrase).join(" ")));

const ENGLISH: TurnWords = {
  fillers: words("um umm uh uhh er erm hmm hm eh well"),
  openers: words(
    "and or but because if the a an my your our their his her is are was were am im its to of in on at with for from by about than then which whose when while until between i we and/or like maybe as be been will would could should can",
  ),
  backchannels: words(
    "mhm mm mmm mmhm uhhuh uh huh yeah yep yes ok okay right sure alright aha ah oh i see got it good great fine hm hmm",
  ),
  greetings: words("hello hi hey hiya howdy good morning afternoon evening day speaking here there this is it its"),
  digits: words("zero oh one two three four five six seven eight nine double triple"),
  answers: phrases(
    "yes,no,yeah,yep,nope,sure,okay,ok,correct,right,thats right,thats correct,yes please,no thanks,no thank you,of course,thats all,thats it,goodbye,bye,thank you,thanks,not really,absolutely,exactly,i do,i dont,i am,never",
  ),
};

const SPANISH: TurnWords = {
  fillers: words("eh em este mmm pues bueno esto"),
  openers: words(
    "y e o u pero porque si que el la los las un una unos unas mi tu su es son era de del a al en con para por sin sobre cuando donde como mientras entre yo me se lo quiero",
  ),
  backchannels: words("sí si ajá aja ok okay vale claro bien mhm mm ya entiendo bueno perfecto eso"),
  greetings: words("hola buenas buenos días tardes noches diga dígame aló mande soy habla al habla aquí"),
  digits: words("cero uno una dos tres cuatro cinco seis siete ocho nueve doble"),
  answers: phrases(
    "sí,no,claro,vale,de acuerdo,correcto,exacto,sí por favor,no gracias,eso es todo,nada más,adiós,gracias,por supuesto,así es,nunca",
  ),
};

const GERMAN: TurnWords = {
  fillers: words("äh ähm öh hm hmm tja also naja"),
  openers: words(
    "und oder aber weil wenn dass der die das den dem des ein eine einen einem einer mein meine meinen dein ihr ist sind war zu in im an am auf mit für von vom bei bis um über wie wo wann während zwischen ich wir es nicht sondern denn",
  ),
  backchannels: words("ja jaja mhm mm hm hmm aha ach so okay ok genau gut klar richtig stimmt verstehe"),
  greetings: words("hallo guten tag morgen abend moin servus grüß gott grüezi hier spricht am apparat bitte"),
  digits: words("null eins ein zwei zwo drei vier fünf sechs sieben acht neun doppel"),
  answers: phrases(
    "ja,nein,genau,richtig,stimmt,klar,natürlich,gerne,ja bitte,nein danke,das ist alles,das wars,auf wiederhören,tschüss,danke,nie,okay,ok",
  ),
};

const FRENCH: TurnWords = {
  fillers: words("euh heu ben bah hum alors"),
  openers: words(
    "et ou mais parce que qui car si le la les un une des du de mon ma mes ton ta son sa notre votre est sont était à au aux en dans sur avec pour par sans chez quand comme où entre je on ce nous",
  ),
  backchannels: words("oui ouais mhm mm hm ok okay daccord ah bon bien entendu voilà exact je vois"),
  greetings: words("allô bonjour bonsoir salut ici j'écoute à l'appareil c'est"),
  digits: words("zéro un deux trois quatre cinq six sept huit neuf"),
  answers: phrases(
    "oui,non,ouais,bien sûr,d'accord,exactement,c'est ça,oui merci,non merci,c'est tout,au revoir,merci,tout à fait,jamais,oui s'il vous plaît",
  ),
};

const SWEDISH: TurnWords = {
  fillers: words("eh öh ehm hm hmm alltså liksom asså"),
  openers: words(
    "och eller men för eftersom om att den det de en ett min mitt mina din ditt sin är var till av i på med från vid under mellan när där som jag vi man inte utan så",
  ),
  backchannels: words("ja jo jaha mhm mm hm okej ok okay visst just det precis aha bra jag förstår"),
  greetings: words("hallå hej hejsan god dag morgon kväll tjena tja det är här"),
  digits: words("noll ett en två tre fyra fem sex sju åtta nio"),
  answers: phrases(
    "ja,nej,jo,jajamän,precis,just det,det stämmer,visst,absolut,ja tack,nej tack,det var allt,hej då,tack,aldrig,okej,ok",
  ),
};

const LANGUAGES: Record<string, TurnWords> = {
  en: ENGLISH,
  es: SPANISH,
  de: GERMAN,
  fr: FRENCH,
  sv: SWEDISH,
};

/** Returns the words of a BCP 47 language; English for an unknown one. */
export function turnWordsOf(language: string): TurnWords {
  return LANGUAGES[language.toLowerCase().split(/[-_]/)[0] ?? ""] ?? ENGLISH;
}
