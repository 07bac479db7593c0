import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const RINGA =
  "(?:ringa?(?! pa (?:dorr|klock))|kontakta|sms,? ?a|messa|skriva|mejla|skicka|hora av|storas?|trakassera|tjata|texta)";
const RING = "(?:ring|kontakta|sms,? ?a|skriv|skicka|mejla|(?<!(?:jag|vi) )stor)";
const SAKER = "(?:samtal|telefonsamtal|sms|meddelanden|mejl|mail|reklam|paringningar|utskick)";
const MIG = "(?:mig|oss|hit|det har numret|till mig|till oss|till det har numret|av er|mitt nummer)";
const IGEN = "(?:(?:(?:na|nat|nagot) )?mera?|igen|langre|nagonsin|flera? ganger)";
const LISTA =
  "(?:listan|listor|register|registret|databas(?:en)?|system(?:et)?|lista|papper|utskick(?:et|en)?|telefonlista)";
const SLUT = "(?= *(?:(?:tack|snalla)? *(?:$|[.,!?])|och|eller|nu))";

/** Swedish. */
export const SV: OptOutLanguage = {
  code: "sv",
  cues: "ring kont sms mess skri mejl skic hor stor trak tjat text samt tele medd rekl slut lagg upph vill onsk inga inge ta stry rade ploc spar spär avre lamn lat ater drar nix far mast ska skal bord aldr inte unda avsl avpr trot less det hur advo poli anma spam gdpr kons irri upp paring stop bort inva mots samt medg till glom forb slip lata sist fors",
  plain: [
    `(?:sluta|slutar|slutade|lata? bli|lagg av|upphor)(?: (?:nu|att|med att|genast|upp med att|snalla|a|o|och))* ${RINGA}`,
    `vill (?:${IGEN} )?(?:aldrig|inte) (?:${IGEN} )*(?:bli|att (?:ni|nagon)(?: ${IGEN})?) (?:uppringda?|kontaktade?|storda?|kontaktar|ringer|ringda?|hor av)`,
    `(?:onskar|vill) (?:inte|aldrig) (?:bli )?(?:uppringd|kontaktad|stord|kontaktas)`,
    `(?:vill|onskar) inte (?:ha|fa) (?:(?:fler|mer|era|nagra|nagon|nan|dessa|de har) )*(?:${SAKER}|kontakt med (?:er|dig))`,
    `inga (?:fler|mer) ${SAKER}`,
    "vill (?:inte|aldrig)(?: mer)? hora (?:mer |nagot )*(?:av|fran) (?:er|dig)(?: mer| igen)?",
    `(?:ta bort|stryk|radera|plocka bort|spärra|sparra|avregistrera) (?:mig|oss|mitt nummer|mina uppgifter|vart nummer|mitt namn|det har numret)(?: (?:fran|ur|i|hos)(?: \\w+){0,2} (?:${LISTA}|er)|${SLUT})`,
    "(?:lamna|lat) (?:mig|oss)(?: vara)? i ?fred",
    "(?:aterkallar|drar tillbaka|tar tillbaka)(?: \\w+){0,3} (?:samtycke|medgivande|tillstand)",
    "(?:samtycke|medgivande|tillstand) (?:aterkallar|drar|tar) (?:jag|vi)",
    "(?:invander|motsatter (?:mig|oss))(?! inte)(?: \\w+){0,8} (?:marknadsforing\\w*|\\w*reklam|samtal|kontakt\\w*)",
    "nix ?(?:registret|telefon)|(?:har|med|via) nix|sparrlista",
    `(?:far|maste|ska|skall|borde) inte (?:ringa|kontakta|smsa)(?: (?:${MIG}|${IGEN}))+`,
    `(?:inte|aldrig) ska (?:ringa|kontakta|hora av)(?: \\w+)? (?:mer|igen)`,
    `se till att (?:ingen|ni inte|ni aldrig)(?: ${IGEN})? (?:ringer|kontaktar|smsar|hor av er)(?: till)?(?: (?:${MIG}|${IGEN}))*${SLUT}`,
    `forbjuder (?:er|dig) att (?:${IGEN} )?${RINGA}`,
    `vill (?:garna )?slippa (?:\\w+ ){0,2}(?:${SAKER}|bli (?:uppringda?|kontaktade?|storda?))`,
    "undanber mig",
    "avsluta (?:min )?prenumeration(?:en)?",
    "avregistrera (?:mig|oss|mitt)",
  ],
  forbidding: [
    `${RING}(?: ${MIG})* (?:inte|aldrig)(?: ${MIG})*(?: (?:${IGEN}|tillbaka))+`,
    `(?<!(?:jag|vi) )hor (?:inte|aldrig) av (?:er|dig)(?: ${MIG})*(?: ${IGEN})+`,
    `${RING}(?: ${MIG}) (?:inte|aldrig)${SLUT}`,
    `(?:inte|aldrig) (?:mer )?${RINGA}(?: ${MIG})*(?: ${IGEN})`,
    `skriv (?:inte|aldrig) till mig`,
    `ring aldrig(?: (?:mer|igen|hit|mig))*${SLUT}`,
  ],
  innocent: [
    "sluta inte(?: \\w+)?",
    "(?:min|mitt|han|hon|de)(?: \\w+){0,2} (?:sa|sade|bad|har sagt)(?![a-z])[^.!?]*",
    "varfor[^.!?]*",
    "vantelista\\w*|inkopslista\\w*",
    "(?:har inte|inte) hort av[^.!?]*|jag ringer[^.,!?]*",
    "glom inte[^.!?]*",
    "inte (?:mer|fler) an|inte missa[^.!?]*",
  ],
  keeps: [
    "(?:vill|sa|sager|menar) inte att (?:ni|du) (?:ska |skall )?(?:slut|sluta|ta|tar|radera)\\w*(?: bort)?(?: \\w+){0,2}",
    "(?<=^|[.,!?] |nej )(?:snalla )?(?:sluta|ta|radera) inte(?: bort)?(?: \\w+){0,2}",
  ],
  limits:
    "fore|innan|efter|tills|idag|i dag|imorgon|i morgon|ikvall|denna (?:vecka|vecka)|pa (?:morgonen|kvallen|natten|mandag\\w*|tisdag\\w*|onsdag\\w*|torsdag\\w*|fredag\\w*|lordag\\w*|sondag\\w*|hemtelefon\\w*|jobbet|helgen|helger)|under|mellan|om|nar|sa (?:sent|tidigt)|klockan|utan|angaende",
  instead:
    "utan (?:pa|ring)|ring (?:pa|mig pa|imorgon|i morgon|senare|hellre)|hellre (?:pa|via)|jag ringer|ni far ringa|bara (?:via|pa)|skriv (?:i stallet|istallet)|men ja",
  bare: "stop|stopp|sluta|sluta nu|lagg av|avregistrera|avsluta|ta bort mig|ring inte|sluta ring(?:a)?(?: mig)?|ring mig inte",
  polite: "tack|snalla|ja|nej|ok|nu|genast|bara|du|men|hej",
  keywords: "stopp sluta avsluta",
  yes: "(?:det )?har jag (?:ju )?(?:redan )?sagt|det sa jag|ja|jo|japp|javisst|garna|precis|just det|stammer|absolut|tack|visst|sjalvklart|okej",
  no: "nej|nah|inte|fortsatt|det ar bra|det ar okej|aldrig",
  phrases: {
    ask: "För säkerhets skull: vill ni att vi slutar ringa och skriva till er?",
    done: "Ert nummer finns nu på vår spärrlista. Hej då.",
    noted: "Jag för vidare att ni inte vill bli uppringd igen. Hej då.",
  },
};
