import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toNumbers, wholeWords } from "#src/engine/models/scripted/words.ts";

/** German. */
export const DE: Lexicon = {
  code: "de",
  phrases: {
    opening: "Guten Tag, {self}",
    selfWithCompany: "hier ist der automatische Assistent von {company}.",
    self: "hier ist ein automatischer Assistent.",
    topic: "Es geht um: {topic}.",
    acknowledgements: ["Danke.", "Verstanden.", "Alles klar."],
    corrected: "Danke, das habe ich geändert.",
    notUnderstood: "Entschuldigung, das habe ich nicht verstanden.",
    yesOrNo: "Ja oder nein: {label}?",
    tellMe: "Können Sie mir bitte sagen: {label}?",
    whichOf: "Was davon trifft zu: {choices}?",
    or: " oder ",
    asDate: ", als Datum",
    asTime: ", als Uhrzeit",
    asNumber: ", als Zahl",
    asEmail: ", als E-Mail-Adresse",
    fromTo: ", von {from} bis {to}",
    source: "Ich sehe nicht, woher Ihre Nummer stammt, aber meine Kollegen können es Ihnen sagen.",
    oneLeft: "Es ist nur noch eine Frage.",
    someLeft: "Es sind nur noch {count} Fragen.",
    cannotAnswer: "Das kann ich leider nicht beantworten.",
    takeYourTime: "Natürlich, lassen Sie sich Zeit.",
    wrongPerson: "Entschuldigen Sie das Versehen. Auf Wiederhören.",
    callback: "Natürlich. Ich gebe weiter, wann Sie angerufen werden möchten. Auf Wiederhören.",
    human:
      "Ich verstehe. Ich gebe meinen Kollegen weiter, dass Sie mit einem Menschen sprechen möchten, und sie rufen Sie zurück. Auf Wiederhören.",
    humanAsked:
      "Natürlich. Ich habe einen Kollegen gebeten, diesen Chat zu übernehmen. Er antwortet hier, sobald jemand frei ist.",
    transfer: "Natürlich, ich verbinde Sie mit einem Kollegen.",
    transferFailed: "Leider erreiche ich gerade niemanden. Ich gebe es meinen Kollegen weiter. Auf Wiederhören.",
    optOut: "Natürlich.",
    optedOut: "Ihre Nummer steht jetzt auf unserer Sperrliste. Auf Wiederhören.",
    optOutNoted: "Ich gebe weiter, dass Sie nicht mehr angerufen werden möchten. Auf Wiederhören.",
    declined: "Ich verstehe. Danke für Ihre Zeit. Auf Wiederhören.",
    goodbye: "Das war alles. Vielen Dank für Ihre Zeit und auf Wiederhören.",
    chatAnswer: "Danke, das habe ich notiert. Möchten Sie noch etwas sagen?",
    chatGoodbye: "Vielen Dank für Ihre Zeit und auf Wiederhören.",
    offerCallback: "Das weiß ich leider nicht. Soll ein Kollege Sie deswegen zurückrufen?",
    questionNoted: "Das weiß ich leider nicht, aber ich gebe Ihre Frage an meine Kollegen weiter.",
    anythingElse: "Kann ich sonst noch etwas für Sie tun?",
    callbackWhen: "An welchem Tag und um wie viel Uhr sollen wir Sie anrufen?",
    callbackSet: "Gut, wir rufen Sie dann an.",
    callbackFailed: "Das lässt sich leider nicht einrichten. Ich gebe weiter, wann Sie angerufen werden möchten.",
    callbackNoted: "Das gebe ich weiter.",
    toolFailed: "Das hat leider nicht geklappt. Ich gebe es an meine Kollegen weiter.",
    toolStarted: "Ich sage Ihnen Bescheid, sobald ich mehr weiß.",
    isThatRight: "Nur um sicherzugehen: Habe ich das richtig verstanden?",
    readBack: "Ich wiederhole: {values}. Stimmt das so?",
    whatIsWrong: "Entschuldigung. Was soll ich ändern?",
    yesWord: "ja",
    noWord: "nein",
    andTime: "Und um wie viel Uhr?",
    andDay: "Und an welchem Tag?",
    goodbyeWord: "Auf Wiederhören.",
  },
  commonWords:
    "ja in an die den es so da zu im am um mit auf wie von hier bin was war mir mich kann meine mein ein eine gut",
  tellingWords:
    "der das ist und nicht ich sie bitte haben hallo guten danke nein möchten möchte wir habe passt gerade leider morgen rufen falsche falscher entschuldigung moment weiß kein keine wer warum genau natürlich ordnung wiederhören tag ihren ihrem",
  intents: {
    WRONG_PERSON: wholeWords(
      "falsche[nr]? (?:nummer|person|anschluss)|falsch verbunden|verwählt|(?:hier )?(?:gibt es|wohnt) (?:hier )?(?:keinen?|niemand|nicht)|ich bin (?:nicht die person|das nicht)",
    ),
    ROBOT: wholeWords(
      "(?:sind sie|ist das|spreche ich mit) (?:ein|einem|einer|eine)? ?(?:roboter|maschine|computer|mensch|menschen|bot|ki)",
    ),
    HUMAN: wholeWords(
      "(?:mit )?(?:einem|einer|ein|einen)? ?(?:echten |richtigen )?(?:menschen|mitarbeiter|mitarbeiterin|person|berater|kollegen|jemandem) (?:sprechen|reden|verbunden werden|verbinden)|verbinden sie mich|(?:will|möchte|brauche) (?:bitte )?(?:mit )?(?:einen|einem) (?:echten |richtigen )?(?:menschen|mitarbeiter)",
    ),
    SCREENING: wholeWords("prüft ihre anrufe|nennen sie (?:bitte )?ihren namen und|grund ihres anrufs|anruffilter"),
    CALLBACK: wholeWords(
      "rufen sie (?:mich )?(?:bitte |doch )?(?:später|morgen|heute|nächste|am|um|in|noch ?mal|wieder|zurück)|(?:später|morgen) (?:noch ?mal |wieder )?(?:an|anrufen|zurückrufen)|rufen sie (?:mich )?(?:bitte )?zurück|(?:gerade|jetzt) (?:ganz )?(?:schlecht|ungünstig|nicht (?:sprechen|reden|telefonieren))|(?:kann|können) (?:gerade|jetzt) nicht|bin (?:gerade )?(?:beschäftigt|am fahren|im auto|in einer besprechung|bei der arbeit)",
    ),
    WHO: wholeWords(
      "wer (?:ist|sind|spricht|ruft)(?: da| dort| das| sie)?|mit wem (?:spreche|rede) ich|wie heißen sie|von welcher firma|von wo rufen sie|ist das (?:ein |eine )?(?:betrug|scherz|spam|masche)",
    ),
    WHY: wholeWords(
      "warum rufen sie|wieso rufen sie|weshalb rufen sie|worum geht(?:'s| es)|um was geht(?:'s| es)|was (?:wollen|möchten) sie|was ist der grund",
    ),
    SOURCE: wholeWords("(?:haben sie|kommt|stammt) meine nummer|meine nummer her"),
    HOW_LONG: wholeWords("wie lange (?:wird|dauert|geht|brauchen)|wie viele fragen|dauert (?:das|es) (?:noch )?lange"),
    HOLD: wholeWords(
      "(?:einen |eine )?(?:moment|augenblick|sekunde|minute)(?:,? bitte)?|bleiben sie (?:bitte )?(?:in der leitung|dran)|warten sie|danke fürs warten|(?:das )?muss ich nachsehen|ich schaue (?:mal )?nach",
    ),
    REPEAT: wholeWords(
      "wiederholen|noch ?mal|noch einmal|wie bitte|was haben sie gesagt|(?:nicht|kaum|schlecht) (?:verstanden|gehört|verstehen|hören)|lauter|langsamer",
    ),
    GO_ON: wholeWords("(?:sprechen|reden|machen) sie weiter|fahren sie fort"),
    DONT_KNOW: wholeWords(
      "weiß (?:ich |es |das )*nicht|keine ahnung|(?:bin )?(?:mir )?nicht sicher|(?:lieber|möchte|will) (?:ich )?(?:das )?(?:lieber )?nicht (?:sagen|beantworten|angeben)|keine angabe|nächste frage|geht sie nichts an|erinnere mich nicht|überspringen|hat sich (?:ja )?(?:dann )?(?:eh )?erledigt|entfällt|nicht zutreffend|habe? ich (?:gerade |jetzt |leider )?nicht (?:da|hier|parat|zur hand|bei mir|im kopf)|(?:sage|verrate) ich (?:lieber )?nicht|bleibt mein geheimnis|privat(?:sache)?|keinen schimmer|da bin ich überfragt",
    ),
    NOT_INTERESTED: wholeWords(
      "kein(?:e|erlei)? interesse|nicht interessiert|lassen sie mich in ruhe|brauche nichts|(?:mache|mach) (?:bei|an) (?:so was|umfragen|sowas)|(?:mache|mach) keine umfragen|keine zeit für (?:so was|sowas|umfragen)|nichts für mich|möchte nicht (?:mitmachen|teilnehmen)|nehme nicht teil",
    ),
    GOODBYE: wholeWords("auf wieder(?:hören|sehen)|tschüss?|muss (?:los|weg|auflegen)"),
  },
  yes: wholeWords(
    "ja|jawohl|jo|genau|richtig|sicher|klar|natürlich|selbstverständlich|gerne?|stimmt|korrekt|in ordnung|okay|ok|passt(?: mir)?(?: gut)?|das geht|einverstanden|auf jeden fall|kein problem|keine sorge|ich denke schon|ich glaube schon|warum nicht|absolut|doch|bestimmt",
  ),
  weakYes: wholeWords("gut|kann|bin|habe|will|möchte|werde|komme"),
  no: wholeWords(
    "nein|nee|nö|nicht|nie|niemals|kein|keine|keinen|keinesfalls|auf keinen fall|leider|natürlich nicht|ich glaube nicht|ich denke nicht|gar nicht|stimmt nicht|passt (?:(?:mir|uns|da|leider|gar|überhaupt|das) ){0,4}nicht|geht (?:(?:da|leider|gar|das|bei mir|mir) ){0,4}nicht|absagen",
  ),
  explicitCorrection: wholeWords(
    "ich meinte|ich meine|ich sagte|das war falsch|das ist falsch|falsch gesagt|korrektur|ich korrigiere|ändern sie (?:das|es)(?: auf| zu)?|hab(?:e)? (?:ich )?mich (?:geirrt|versprochen|vertan|verhört)|(?:geirrt|versprochen|vertan)",
  ),
  weakCorrection: wholeWords("eigentlich|moment|doch|entschuldigung|halt|nein|beziehungsweise"),
  quantities: [
    [wholeWords("(?:ein )?halbes dutzend"), 6],
    [wholeWords("(?:ein )?dutzend"), 12],
    [wholeWords("(?:nur|bloß|lediglich) ich|(?:ich )?(?:komme )?allein|niemand außer mir"), 1],
    [wholeWords("(?:meine? \\p{L}{1,30} und ich|ich und meine? \\p{L}{1,30})|wir beide|zu zweit|ein paar"), 2],
    [wholeWords("zu dritt"), 3],
    [wholeWords("zu viert"), 4],
    [wholeWords("zu fünft"), 5],
    [wholeWords("zu sechst"), 6],
  ],
  mePlus: wholeWords(
    "ich (?:und|plus|mit) (\\p{L}{1,20}) (?:andere[rn]?|weitere[rn]?|kinder[n]?|freunde[n]?|gäste[n]?|personen)",
  ),
  cents: wholeWords("(?:und )?(\\S{1,30}) cent|(?<=euro )(\\S{1,30})"),
  twice: ["doppel"],
  thrice: [],
  phoneWords: { plus: "+" },
  weekLater: wholeWords("\\p{L}{1,30}tag in einer woche|übernächste[nr]? \\p{L}{1,30}(?:tag|woch)"),
  nextWeek: wholeWords("(?:nächste|kommende) woche"),
  places: {},
  lastOne: wholeWords("letzte[nrs]?"),
  holidays: [
    [wholeWords("heilig(?:er |en )?abend"), "12-24"],
    [wholeWords("(?:ersten )?weihnachts(?:feier)?tag"), "12-25"],
    [wholeWords("silvester"), "12-31"],
    [wholeWords("neujahr(?:stag)?"), "01-01"],
  ],
  evening: wholeWords("abends?"),
  nothing:
    /^(?:(?:keine?r?s? (?:davon|von (?:denen|diesen))|nichts davon|nein|nee|nö|nichts|keine?|(?:da )?fällt mir (?:jetzt )?nichts ein|mir fällt (?:dazu |jetzt )?nichts ein|danke|nein danke|das (?:war's|wars|ist alles|war alles)|nichts (?:weiter|mehr|bestimmtes|hinzuzufügen)|nicht dass ich wüsste|(?:ich )?habe nichts hinzuzufügen|alles gut|es ist alles gut|nicht wirklich|eigentlich nicht)(?:[\s,.!;-]+|$))+$/i,
  negators: wholeWords("nicht|kein|keine|keinen|keiner|nie|außer"),
  denials: /(?:nicht(?: die| der)?|keine?)$/,
  butRather: wholeWords("sondern|aber|lieber|stattdessen"),
  all: wholeWords("alle|alles|sämtliche"),
  except: wholeWords("(?:alle|alles) (?:außer|bis auf)|außer|ohne"),
  questionStart: wholeWords(
    "(?:was|wo|wann|wer|wem|wen|wessen|warum|wieso|wie|welche[rsmn]?|woher|wohin|wofür) \\p{L}{1,30}|(?:ist|sind|haben|hat|gibt|kann|können|darf|muss|soll|kostet|hätten|könnten|wissen) (?:sie|es|ich|man|wir|das|der|die|den|mein|meine|dort|bei) \\p{L}{1,30}|ich (?:wollte|möchte|würde gern) wissen",
  ),
  questionLead:
    /^(?:(?:und|aber|also|gut|okay|ok|entschuldigung|ach|äh|übrigens|noch eine frage|eine frage|vorher|bitte)[,:.]?\s+)+/i,
  proposal: wholeWords(
    "wie wäre|wäre es möglich|würden sie|(?:können|könnten) sie|ginge|geht (?:es|auch|das)?|passt (?:es|auch)?|(?:können|könnten) wir|(?:kann|könnte|darf) ich|haben sie|nehmen sie",
  ),
  anyTime: wholeWords("egal|jederzeit|wann (?:immer )?sie (?:wollen|möchten)|irgendwann"),
  later: wholeWords("später"),
  tomorrow: "morgen",
  speaks: wholeWords("sprechen|spreche|verstehe|reden|auf"),
  amBack: /^(?:(?:so,? |okay,? )?(?:da )?(?:bin ich|ich bin|bin) wieder da)[.! ]*$/i,
  stillThere: wholeWords("noch da"),
  hereIAm:
    /^(?:ja|hallo|ich bin (?:noch )?da|ja,? (?:ich bin (?:noch )?(?:da|hier)|hallo|bin noch da)|bin noch da)[.!?]*$/i,
  asksIdentity: wholeWords("spreche ich mit|sind sie|ist dort|ist da"),
  asksForTime: wholeWords("passt es|guter zeitpunkt|einen moment|eine minute|minuten|kurz zeit|zeit für"),
  leadIn:
    /^(?:(?:also|ja|äh|ähm|gut|und)[,.]?\s+)*(?:mein(?:e)? (?:vollständiger )?(?:name|nummer|e-?mail|e-mail-adresse|adresse|antwort) (?:ist|lautet)|ich heiße|ich bin|hier ist|das (?:ist|wäre|sind|wären)|es (?:ist|wäre|sind)|ich würde sagen|ich glaube)\s+/i,
  numbers: toNumbers(
    "null=0 keine=0 keiner=0 eins=1 ein=1 eine=1 einen=1 zwei=2 zwo=2 drei=3 vier=4 fünf=5 sechs=6 " +
      "sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12 dreizehn=13 vierzehn=14 fünfzehn=15 sechzehn=16 " +
      "siebzehn=17 achtzehn=18 neunzehn=19 zwanzig=20 dreißig=30 dreissig=30 vierzig=40 fünfzig=50 " +
      "sechzig=60 siebzig=70 achtzig=80 neunzig=90 hundert=100 tausend=1000",
  ),
  numberJoiners: ["und"],
  compoundNumbers: true,
  unitsBeforeTens: true,
  decimalWords: ["komma"],
  half: wholeWords("einhalb"),
  minus: wholeWords("minus"),
  thousandsSeparator: ".",
  weekdays: [
    "sonntags?",
    "montags?",
    "dienstags?",
    "mittwochs?",
    "donnerstags?",
    "freitags?",
    "samstags?|sonnabends?",
  ].map((day) => wholeWords(day)),
  months: "januar|jänner februar|feber märz april mai juni juli august september oktober november dezember"
    .split(" ")
    .map((month) => wholeWords(month)),
  relativeDays: [
    [wholeWords("übermorgen"), 2],
    [wholeWords("(?<!(?:am|jeden) )morgen(?!s)"), 1],
    [wholeWords("heute"), 0],
    [wholeWords("vorgestern"), -2],
    [wholeWords("gestern"), -1],
  ],
  inDays: wholeWords("in ([^\\s-]{1,30}) tag(?:en)?"),
  inWeeks: wholeWords("in ([^\\s-]{1,30}) wochen?"),
  dayOfMonth: "(?:am|den|dem|der) {d}",
  dateFillers: ["der", "den", "dem", "am", "im"],
  ordinals: toNumbers(
    "ersten=1 erster=1 zweiten=2 zweiter=2 dritten=3 dritter=3 vierten=4 vierter=4 fünften=5 fünfter=5 " +
      "sechsten=6 siebten=7 achten=8 neunten=9 zehnten=10 elften=11 zwölften=12 dreizehnten=13 " +
      "vierzehnten=14 fünfzehnten=15 sechzehnten=16 siebzehnten=17 achtzehnten=18 neunzehnten=19 " +
      "zwanzigsten=20 dreißigsten=30",
  ),
  clock: [
    ["{m} (?:minuten )?nach halb {h}", 1],
    ["{m} (?:minuten )?vor halb {h}", -1],
    ["halb {h}", -30],
    ["viertel nach {h}", 15],
    ["viertel vor {h}", -15],
    ["drei ?viertel {h}", -15],
    ["viertel {h}", -45],
    ["{m} (?:minuten )?nach {h}", 1],
    ["{m} (?:minuten )?vor {h}", -1],
    ["{h} uhr {m}", 1],
    ["{h} uhr dreißig", 30],
    ["{h} uhr", 0],
    ["(?:um|gegen|ab) {h}", 0],
  ],
  noon: wholeWords("mittags?|zwölf uhr mittags"),
  midnight: wholeWords("mitternachts?"),
  morning: wholeWords("morgens|früh|frühstück|in der früh|vormittags?|am (?:morgen|vormittag)"),
  afternoon: wholeWords("nachmittags?|abends?|abendessen|am (?:nachmittag|abend)"),
  emailAt: wholeWords("at|ät|klammeraffe"),
  emailDot: wholeWords("punkt"),
  and: wholeWords("und"),
  company:
    /(?:[Aa]ssistent(?:in)?|[Mm]itarbeiter(?:in)?|[Aa]gent(?:in)?) (?:von|der|des|für|bei) (?:der |die |das )?([\p{Lu}\p{N}][^.,;:\n]{1,60})/u,
};
