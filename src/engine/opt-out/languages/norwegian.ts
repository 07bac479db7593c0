import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const RINGE = "(?:ringe(?: opp)?|kontakte|skrive|sende|plage|forstyrre|sms e|smse|maile|mase)";
const TING = "(?:samtaler|telefonsamtaler|anrop|oppringninger|sms er|smser|sms|meldinger|e poster|reklame|telefoner)";
const MEG = "(?:meg|oss|hit|til meg|dette nummeret|til oss)";
const IGJEN = "(?:mer|igjen|lenger|noen gang|mere)";
const LISTE = "(?:list(?:e|en|er|ene|a)|database(?:n)?|system(?:et)?|register(?:et)?|registeret)";
const SLUTT = "(?= *(?:(?:takk|vennligst|er du snill)? *(?:$|[.,!?])|og|eller|na))";

/** Norwegian. */
export const NO: OptOutLanguage = {
  code: "no",
  cues: "ring kont skri send plag fors sms mail mase samt tele anro oppr meld e rekl slut stop gi hold vil onsk inge ikke fjer slet stry ta la lat trek rese far skal ma aldr lei trot dett hvor anme advo poli trak spam gdpr irri sist glem",
  plain: [
    `(?:slutt|slutte|slutter|stopp|gi dere|hold opp)(?: (?:na|med|a|med a))* ${RINGE}`,
    `(?:vil|onsker) (?:ikke|aldri)(?: (?:lenger|mer))? (?:bli )?(?:oppringt|kontaktet|forstyrret|ringt|kontaktes)`,
    `(?:vil|onsker) ikke (?:ha|fa|motta) (?:flere |mer |noen |deres )*${TING}`,
    `(?:ingen|ikke) flere ${TING}`,
    "vil ikke hore (?:mer )?fra dere",
    `(?:fjern|slett|stryk|ta)(?: vennligst)? (?:meg|oss|nummeret mitt|mitt nummer|opplysningene mine|dette nummeret)(?: (?:fra|av|ut av)(?: \\w+){0,2} ${LISTE}|${SLUTT})(?! (?:av|pa))`,
    "(?:la|lat) (?:meg|oss) (?:vaere )?(?:i fred|i ro)|la meg vaere(?= *(?:$|[.,!?]))",
    "trekker (?:tilbake )?(?:\\w+ )?samtykke\\w*",
    "reservert (?:meg|oss)? ?(?:mot|i)|reservasjonsregister\\w*|reservasjonsliste\\w*",
    "(?:far|skal|ma) (?:ikke|aldri) (?:ringe|kontakte)(?: (?:meg|oss|hit|mer|igjen))+",
    "(?:ikke|aldri) skal (?:ringe|kontakte|skrive)(?: \\w+)? (?:mer|igjen)",
    "meld (?:meg|oss) av|(?:vil|onsker)(?: gjerne)? (?:melde meg av|avmeldes)",
  ],
  forbidding: [
    `ikke (?:ring|kontakt|skriv|send)(?: ${MEG})*(?: ${IGJEN})+`,
    `ikke (?:ring|kontakt|skriv)(?: til)? (?:meg|oss|hit)${SLUTT}`,
    `(?:ring|kontakt|skriv)(?: ${MEG})* (?:ikke|aldri)(?: ${MEG})*(?: ${IGJEN})+`,
    `(?:ikke|aldri) ${RINGE}(?: ${MEG})* ${IGJEN}`,
    `(?:ring|kontakt)(?: ${MEG})* aldri(?: ${MEG})*${SLUTT}`,
  ],
  innocent: [
    "(?:min|mitt|mora|han|hun|de)(?: \\w+){0,2} (?:sa|ba|har sagt)(?![a-z])[^.!?]*",
    "hvorfor[^.!?]*",
    "ikke glem[^.!?]*",
    "sluttet (?:a|med) \\w+|venteliste\\w*|ikke (?:mer|flere) enn|ga glipp[^.!?]*|ikke (?:slutt|stopp)(?: \\w+)?",
  ],
  keeps: [
    "(?:vil|onsker|sa|sier) ikke at (?:dere|du) (?:skal )?(?:slutt|stopp|hold|fjern|slett)\\w*(?: opp)?(?: a| med)?(?: a)?(?: \\w+){0,2}",
    "(?<=^|[.,!?] |nei )(?:ikke (?:slutt|stopp|fjern|slett)|(?:slutt|stopp|fjern|slett) (?:meg )?ikke)(?: a| med)?(?: \\w+){0,2}",
  ],
  limits:
    "for|innen|etter|til klokken|i dag|i morgen|i kveld|om (?:morgenen|kvelden|natten)|pa (?:fasttelefon\\w*|jobb\\w*|mandag|tirsdag|onsdag|torsdag|fredag|lordag|sondag)|mens|mellom|hvis|nar|sa (?:sent|tidlig)|klokken|fasttelefonen",
  instead: "ring (?:mobilen|pa|i morgen|heller)|heller (?:pa|via)|jeg ringer|bare (?:pa|via)|men ja",
  bare: "stop|stopp|slutt|meld meg av|stopp na|slutt na|slett meg|ikke ring|ring ikke",
  polite: "takk|vennligst|ja|nei|ok|na|bare|vaer sa snill",
  keywords: "stopp slutt avmeld",
  yes: "ja|jo|japp|gjerne|takk|nettopp|riktig|stemmer|absolutt|selvfolgelig|ok",
  no: "nei|ikke|fortsett|det er greit|aldri",
  phrases: {
    ask: "Bare for å være sikker: vil du at vi skal slutte å ringe og skrive til deg?",
    done: "Nummeret ditt står nå på sperrelisten vår. Ha det.",
    noted: "Jeg gir beskjed om at du ikke vil bli oppringt igjen. Ha det.",
  },
};
