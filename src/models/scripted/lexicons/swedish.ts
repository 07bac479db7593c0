import type { Lexicon } from "#src/models/scripted/lexicon-shape.ts";
import { toNumbers, wholeWords } from "#src/models/scripted/words.ts";

/** Swedish. */
export const SV: Lexicon = {
  code: "sv",
  phrases: {
    opening: "Hej, {self}",
    selfWithCompany: "det här är den automatiska assistenten från {company}.",
    self: "det här är en automatisk assistent.",
    topic: "Samtalet gäller: {topic}.",
    acknowledgements: ["Tack.", "Uppfattat.", "Då så."],
    corrected: "Tack, jag har ändrat det.",
    notUnderstood: "Förlåt, det förstod jag inte.",
    yesOrNo: "Ja eller nej: {label}?",
    tellMe: "Kan du säga mig {label}?",
    whichOf: "Vilket av detta: {choices}?",
    or: " eller ",
    asDate: ", som datum",
    asTime: ", som klockslag, vilken tid",
    asNumber: ", som antal",
    asEmail: ", som e-postadress",
    fromTo: ", från {from} till {to}",
    source: "Jag ser inte var ditt nummer kommer ifrån, men mina kollegor kan berätta det.",
    oneLeft: "Det är bara en fråga kvar.",
    someLeft: "Det är bara {count} frågor kvar.",
    cannotAnswer: "Tyvärr kan jag inte svara på det.",
    takeYourTime: "Självklart, ta den tid du behöver.",
    wrongPerson: "Förlåt misstaget. Hej då.",
    callback: "Självklart. Jag för vidare när du vill bli uppringd. Hej då.",
    human: "Jag förstår. Jag för vidare till mina kollegor att du vill tala med en människa. Hej då.",
    transfer: "Självklart, jag kopplar dig till en kollega.",
    transferFailed: "Tyvärr når jag ingen just nu. Jag för det vidare till mina kollegor. Hej då.",
    optOut: "Självklart.",
    optedOut: "Ditt nummer är nu spärrat hos oss. Hej då.",
    optOutNoted: "Jag för vidare att du inte vill bli uppringd igen. Hej då.",
    declined: "Jag förstår. Tack för din tid. Hej då.",
    goodbye: "Det var allt. Tack för din tid och hej då.",
    chatAnswer: "Tack, jag har noterat det. Vill du säga något mer?",
    chatGoodbye: "Tack för din tid och hej då.",
    offerCallback: "Tyvärr vet jag inte det. Vill du att en kollega ringer upp dig om det?",
    questionNoted: "Det vet jag tyvärr inte, men jag för din fråga vidare till mina kollegor.",
    anythingElse: "Kan jag hjälpa dig med något mer?",
    callbackWhen: "Vilken dag och vilken tid ska vi ringa dig?",
    callbackSet: "Bra, då ringer vi dig då.",
    callbackFailed: "Tyvärr går det inte att ordna. Jag för vidare när du vill bli uppringd.",
    callbackNoted: "Jag för det vidare.",
    toolFailed: "Tyvärr gick det inte. Jag för det vidare till mina kollegor.",
    toolStarted: "Jag säger till så snart jag vet mer.",
    isThatRight: "Bara för att vara säker: uppfattade jag det rätt?",
    andTime: "Och vilken tid?",
    andDay: "Och vilken dag?",
    goodbyeWord: "Hej då.",
  },
  commonWords: "ja en den i på med för till av om så du kan vad min mitt ett han har var mig man då bra",
  tellingWords:
    "är och hej hallå det att jag vill tack inte nej vem varför ditt från förlåt okej nu klockan ring imorgon morgon tyvärr passar heter talar person ögonblick vet ingen kommit fel allt",
  intents: {
    OPT_OUT: wholeWords(
      "ring (?:mig |oss |hit )?(?:aldrig|inte)(?: mer| igen| mig)*|sluta ring[a]?|(?:ta bort|stryk|radera) (?:mig|mitt nummer|det här numret)|inga fler samtal|inte bli uppringd|spärrlista",
    ),
    WRONG_PERSON: wholeWords("fel (?:nummer|person)|ringt fel|(?:finns|bor) ingen .{1,30}här|det är inte jag"),
    ROBOT: wholeWords(
      "(?:är du|är det|är det här|talar jag med|pratar jag med) (?:en |ett )(?:robot|maskin|dator|människa|riktig person|inspelning)",
    ),
    HUMAN: wholeWords(
      "(?:prata|tala) med (?:en |någon |ett )?(?:riktig |annan )?(?:människa|person|handläggare|medarbetare|kollega|någon)|(?:vill ha|koppla mig till) (?:en )?(?:riktig )?(?:människa|person|handläggare)|riktig människa",
    ),
    SCREENING: wholeWords("filtrerar (?:sina )?samtal|säg ditt namn och|varför du ringer|(?:ditt )?ärende"),
    CALLBACK: wholeWords(
      "ring (?:mig )?(?:upp )?(?:igen |tillbaka )?(?:senare|i ?morgon|en annan|på|om|efter|klockan|nästa|tillbaka)|ring tillbaka|ring upp mig|(?:kan|hinner) inte (?:prata|tala)|passar (?:det )?(?:inte|dåligt)(?: (?:nu|just nu))|(?:är|sitter) (?:upptagen|i möte|i bilen|på jobbet)|dålig tid",
    ),
    WHO: wholeWords(
      "vem (?:är (?:det|du)|talar jag med|pratar jag med|ringer|är det som)|vad heter du|vilket företag|var ringer du ifrån",
    ),
    WHY: wholeWords(
      "varför ringer (?:du|ni)|vad (?:gäller|handlar) (?:det|det här|samtalet)(?: om)?|vad vill (?:du|ni)|vad är ditt ärende",
    ),
    SOURCE: wholeWords("(?:fick|har|hittade) (?:du|ni) mitt nummer"),
    HOW_LONG: wholeWords("hur lång tid|hur länge|hur många frågor|tar det lång"),
    HOLD: wholeWords(
      "(?:ett |vänta ett )?ögonblick|en (?:sekund|minut|stund)|vänta(?: lite)?|(?:stanna )?kvar på linjen|var god dröj|tack för att du väntade|(?:det )?måste jag kolla(?: upp)?|låt mig (?:se|kolla)",
    ),
    REPEAT: wholeWords(
      "upprepa|en gång till|säg det igen|ta om|vad sa du|hur sa|(?:hörde|hör|förstod|förstår|uppfattade) (?:jag )?inte|högre",
    ),
    GO_ON: wholeWords("fortsätt|kör på|gå vidare"),
    DONT_KNOW: wholeWords(
      "vet (?:jag )?inte|(?:har )?ingen aning|inte säker|osäker|(?:vill|helst) (?:jag )?(?:helst )?inte (?:säga|svara|uppge)|nästa fråga|hoppa över|minns inte|kommer inte ihåg|det har du inte med att göra",
    ),
    NOT_INTERESTED: wholeWords("inte intresserad|inget intresse|lämna mig i fred|behöver inget"),
    GOODBYE: wholeWords("hej ?då|adjö|vi hörs|måste (?:gå|lägga på)"),
  },
  yes: wholeWords(
    "ja|jo|japp|jajamän|javisst|visst|absolut|självklart|precis|stämmer|korrekt|okej|ok|okay|gärna|det går bra|det passar(?: bra)?|det funkar|det blir bra|inga problem|varför inte|det tror jag|naturligtvis|säkert|just det",
  ),
  weakYes: wholeWords("bra|kan|är|vill|kommer|har"),
  no: wholeWords(
    "nej|nä|nix|inte|aldrig|inget|tyvärr|avboka|ställa in|absolut inte|självklart inte|tror (?:jag )?inte|stämmer inte|det (?:passar|går|funkar) (?:tyvärr )?inte",
  ),
  explicitCorrection: wholeWords(
    "jag menade|jag menar|jag sa fel|jag sa|det (?:var|är|blev) fel|rättelse|ändra (?:det|den)(?: till)?",
  ),
  weakCorrection: wholeWords("egentligen|vänta|förlåt|snarare|nej"),
  quantities: [
    [wholeWords("(?:ett )?halvt dussin"), 6],
    [wholeWords("(?:ett )?dussin"), 12],
    [wholeWords("(?:bara|endast) jag|(?:jag )?(?:kommer )?ensam|ingen utom jag"), 1],
    [wholeWords("jag och min \\p{L}{1,30}|min \\p{L}{1,30} och jag|vi båda|ett par"), 2],
  ],
  cents: wholeWords("(?:och )?(\\S{1,30}) öre"),
  twice: ["dubbel"],
  thrice: ["trippel"],
  phoneWords: { plus: "+" },
  weekLater: wholeWords("\\p{L}{1,30}dag om en vecka"),
  nextWeek: wholeWords("nästa vecka"),
  holidays: [
    [wholeWords("julafton"), "12-24"],
    [wholeWords("juldagen"), "12-25"],
    [wholeWords("nyårsafton"), "12-31"],
    [wholeWords("nyårsdagen"), "01-01"],
  ],
  evening: wholeWords("kväll(?:en)?"),
  nothing:
    /^(?:(?:nej|nä|inget|inga|ingen|ingenting|tack|nej tack|det (?:var|är) (?:allt|bra så|bra)|inget (?:mer|annat|särskilt)|inte vad jag vet|allt är bra|jag har inget att tillägga|inte direkt)(?:[\s,.!;-]+|$))+$/i,
  negators: wholeWords("inte|ej|ingen|inga|inget"),
  denials: /(?:inte|ingen)$/,
  butRather: wholeWords("utan|men|hellre|istället"),
  all: wholeWords("alla|allt|allihop"),
  except: wholeWords("(?:alla|allt) utom|utom|utan"),
  questionStart: wholeWords(
    "(?:vad|var|när|vem|vems|varför|hur|vilken|vilket|vilka|vart) \\p{L}{1,30}|(?:är|har|finns|kan|får|måste|ska|kostar|vet|tar) (?:du|ni|det|jag|man|vi|den|mitt|min) \\p{L}{1,30}|finns (?:det|parkering)|jag (?:undrar|skulle vilja veta)",
  ),
  questionLead:
    /^(?:(?:och|men|så|jo|okej|ok|förlåt|ursäkta|jaha|förresten|en fråga|innan (?:dess|jag svarar)|snälla)[,:.]?\s+)+/i,
  proposal: wholeWords(
    "hur är det med|går det (?:bra )?(?:med|på)?|kan (?:vi|jag)|får jag|passar|funkar|har ni|tar ni",
  ),
  anyTime: wholeWords("när som helst|spelar ingen roll|när ni vill"),
  later: wholeWords("senare"),
  tomorrow: "imorgon",
  amBack: /^(?:(?:okej,? |så,? )?(?:nu är jag|jag är) tillbaka)[.! ]*$/i,
  stillThere: wholeWords("är du kvar"),
  hereIAm: /^(?:ja|hallå|hej|jag är (?:kvar|här)|ja,? (?:jag är (?:kvar|här)|hallå|hej)|kvar)[.!?]*$/i,
  asksIdentity: wholeWords("talar jag med|pratar jag med|är det|är du"),
  asksForTime: wholeWords("passar det|bra tid|en stund|en minut|minuter|tid att prata"),
  leadIn:
    /^(?:(?:jo|ja|öh|eh|alltså|och)[,.]?\s+)*(?:jag heter|mitt (?:namn|nummer|svar) är|min (?:e-?post|mejl|e-postadress|adress) är|det (?:är|blir|skulle vara)|jag är|jag skulle säga|jag tror)\s+/i,
  numbers: toNumbers(
    "noll=0 ingen=0 inga=0 ett=1 en=1 två=2 tre=3 fyra=4 fem=5 sex=6 sju=7 åtta=8 nio=9 tio=10 elva=11 " +
      "tolv=12 tretton=13 fjorton=14 femton=15 sexton=16 sjutton=17 arton=18 nitton=19 tjugo=20 tjugi=20 " +
      "trettio=30 fyrtio=40 femtio=50 sextio=60 sjuttio=70 åttio=80 nittio=90 hundra=100 tusen=1000",
  ),
  numberJoiners: ["och"],
  compoundNumbers: true,
  unitsBeforeTens: false,
  decimalWords: ["komma"],
  half: wholeWords("och en halv|och ett halvt"),
  minus: wholeWords("minus"),
  thousandsSeparator: " ",
  weekdays: ["söndag", "måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag"].map((day) =>
    wholeWords(`${day}(?:en|ar)?`),
  ),
  months: "januari februari mars april maj juni juli augusti september oktober november december"
    .split(" ")
    .map((month) => wholeWords(month)),
  relativeDays: [
    [wholeWords("i ?övermorgon"), 2],
    [wholeWords("i ?morgon"), 1],
    [wholeWords("i ?dag|i ?kväll|i eftermiddag"), 0],
    [wholeWords("i ?förrgår"), -2],
    [wholeWords("i ?går"), -1],
  ],
  inDays: wholeWords("om ([^\\s-]{1,30}) dag(?:ar)?"),
  inWeeks: wholeWords("om ([^\\s-]{1,30}) veck(?:a|or)"),
  dayOfMonth: "den {d}",
  dateFillers: ["den", "i"],
  ordinals: toNumbers(
    "första=1 andra=2 tredje=3 fjärde=4 femte=5 sjätte=6 sjunde=7 åttonde=8 nionde=9 tionde=10 elfte=11 " +
      "tolfte=12 trettonde=13 fjortonde=14 femtonde=15 sextonde=16 sjuttonde=17 artonde=18 nittonde=19 " +
      "tjugonde=20 trettionde=30",
  ),
  clock: [
    ["halv {h}", -30],
    ["kvart över {h}", 15],
    ["kvart i {h}", -15],
    ["{m} (?:minuter )?över {h}", 1],
    ["{m} (?:minuter )?i {h}", -1],
    ["(?:klockan|kl\\.?|vid|runt) {h}", 0],
  ],
  noon: wholeWords("mitt på dagen|klockan tolv på dagen"),
  midnight: wholeWords("midnatt"),
  morning: wholeWords("på (?:morgonen|förmiddagen)|förmiddag"),
  afternoon: wholeWords("eftermiddag(?:en)?|kväll(?:en)?"),
  emailAt: wholeWords("snabel-?a|at|ätt"),
  emailDot: wholeWords("punkt"),
  and: wholeWords("och"),
  company: /(?:[Aa]ssistent(?:en)?|[Mm]edarbetare|[Aa]gent) (?:hos|för|på|från|åt) ([\p{Lu}\p{N}][^.,;:\n]{1,60})/u,
};
