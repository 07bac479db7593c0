import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const DINGEN =
  "(?:telefoontjes?|telefonische contacten|oproepen|belletjes|berichten|berichtjes|sms(?:jes| berichten)?|mails?|e mails?|reclame|appjes|contact|bericht|telefoontje)";
const BEL =
  "(?:bellen|gebeld|terugbellen|opbellen|contacteren|appen|schrijven|sms en|smsen|mailen|lastigvallen|storen|benaderen)";
const MIJ = "(?:me|mij|ons|dit nummer|mijn nummer|hier|naar (?:mij|dit nummer|hier))";
const ZELF = "(?:me|mij|ons|mijn (?:telefoon)?nummer|dit nummer|mijn gegevens|mijn naam)";
const LIJST = "(?:(?:bel|klanten)?lijst(?:en)?|bestand(?:en)?|systeem|database|adressenbestand|administratie|register)";
const EINDE = "(?= *(?:(?:alstublieft|alsjeblieft|aub|svp|graag)? *(?:$|[.,!?])|en|of|bedankt|dank))";

/** Dutch. */
export const NL: OptOutLanguage = {
  code: "nl",
  cues: "bel belt bell gebe tele oproe opro beri sms mail recl app appj appe appt cont stop hou houd opho kap wil wens hoef geen haal verw schr scha scht wis gooi laat trek toes mag mog moet niet nooi neem val valt uits afme meld zat beu moe blij dit ga doe hoe advo poli aang spam acm avg priv last irri verv storen stor bena verg verd",
  plain: [
    `(?:stop\\w*|hou\\w*|op te houden|ophouden|kap\\w*)(?: (?:nou|nu|eens|alstublieft|jullie|u))*(?: op)?(?: (?:met|om))(?: (?:mij|me|ons|steeds|mij te))* (?:${BEL}|berichten sturen|sms jes sturen|te bellen|sturen van)`,
    `(?:wil|wens|willen|wensen|hoef)(?: \\w+){0,2} (?:niet|niet langer|nooit|nooit meer)(?: meer)?(?: (?:door u|door jullie))?(?: meer)? (?:gebeld|benaderd|gecontacteerd|lastiggevallen|gestoord)`,
    `geen (?:verdere |nieuwe )?${DINGEN}(?: van (?:u|jullie|je))? meer`,
    `(?:wil|wens|willen)(?: \\w+)? geen(?: enkel)? (?:verdere |reclame)?${DINGEN}${EINDE}`,
    "(?:wil|willen) (?:niets|niks) meer van (?:u|jullie|je) (?:horen|weten)",
    `(?:wil|willen) niet dat (?:u|jullie|je|iemand|ze)(?: \\w+){0,2} (?:nog |meer )?(?:bel\\w*|bellen|contact\\w*)`,
    `(?:haal\\w*|verwijder\\w*|schrap\\w*|wis\\w*|gooi\\w*) ${ZELF}(?: (?:uit|van|van de|uit de)(?: \\w+){0,2} ${LIJST}|${EINDE})`,
    `${ZELF} (?:te )?(?:verwijderen|schrappen|wissen)`,
    "(?:laat|laten) (?:me|mij|ons)(?: \\w+)? met rust",
    "(?:trek|intrek)\\w*(?: \\w+){0,2} toestemming(?: \\w+)? in|toestemming (?:in te trekken|intrekken)",
    "bel me niet (?:lijst|register)|bel me niet register",
    `(?:schrijf|meld)(?: u)? (?:me|mij|ons) (?:uit|af)${EINDE}|(?:wil|wens) (?:me|mij|ons)(?: graag)? (?:uitschrijven|afmelden)${EINDE}`,
    "(?:mag|mogen|moet|moeten|hoeft)(?: \\w+){0,2} niet (?:meer |langer )bellen|niet (?:meer|langer) (?:moet|moeten|mag|mogen|hoeft) bellen",
    "geen (?:toestemming|recht) om (?:mij|me) te (?:bellen|benaderen)",
  ],
  forbidding: [
    `(?:bel|belt|app|appt|schrijf|schrijft|contacteer|stuur|benader|mail|sms)(?: u| jullie)?(?: ${MIJ})* (?:alstublieft |alsjeblieft )?(?:niet|nooit)(?: meer| weer| nog)+(?: terug| op)?(?! (?:dan|voor))`,
    `(?:bel|belt|app|contacteer)(?: u)? ${MIJ} (?:niet|nooit)${EINDE}`,
    `(?:niet|nooit)(?: \\w+)? (?:meer|weer) (?:te )?${BEL}(?! (?:kan|kon))`,
    `(?:neem|zoek) (?:\\w+ )?geen contact meer`,
    `val(?:t)? (?:me|mij|ons) niet(?: meer| langer)? lastig`,
    `bel(?:t)? (?:niet|nooit) meer(?: terug)?`,
    `wilt u (?:mij|me|ons) niet meer bellen`,
  ],
  innocent: [
    "mijn \\w+ (?:belt|appt|mailt|schrijft|bericht|spreekt)[^.!?]*",
    "niet stoppen",
    "(?:mijn|de|het|hij|zij|ze)(?: \\w+){0,2} (?:zei|zegt|vroeg|heeft gezegd)[^.!?]*",
    "waarom[^.!?]*",
    "wachtlijst|boodschappenlijst",
    "(?:ik heb)(?: \\w+){0,3} niets meer van (?:u|jullie|je) gehoord",
    "vergeet (?:u )?niet[^.!?]*",
    "(?:zoon|dochter|kind|auto)(?: \\w+){0,3} (?:afmelden|uitschrijven)",
    "(?:geen enkel\\w*|geen)(?: \\w+){0,3} missen|ik bel[^.,!?]*|wil u niet lastigvallen",
    "niet meer dan",
    "telefoontje van u missen|enkel telefoontje[^.!?]*missen",
  ],
  keeps: [
    "(?:wil|hoef|zeg|zei) (?:niet|niet gezegd),? dat (?:jullie|u|je)(?: \\w+){0,3} (?:stop(?:t|pen)?|ophoud(?:t|en)?|verwijder\\w*|schrap\\w*)(?: met(?: (?:mij|me))?(?: (?:te )?\\w+)?)?",
    "(?<=^|[.,!?] |nee )(?:alsjeblieft |alstublieft )?(?:niet stoppen|stop(?:t u)? niet|verwijder mij niet|niet verwijderen)(?: met \\w+)?",
  ],
  limits:
    "voor|na|tot|vandaag|morgen|vanavond|deze (?:week|middag)|s (?:avonds|ochtends|nachts|middags)|op (?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|het werk|mijn werk|de vaste|kantoor)|in het weekend|tijdens|tussen|als|wanneer|zo (?:laat|vroeg)|om \\w+ uur|maar|wegens",
  instead:
    "(?:bel|belt) (?:me|mij|dan) (?:op|morgen|later|liever)|maar (?:mobiel|op|wel|ja)|liever (?:op|per|morgen)|ik bel|alleen (?:per|via|op)|stuur (?:een|me)",
  bare: "stop|stoppen|hou op|ophouden|afmelden|uitschrijven|verwijder|stop ermee|stop daarmee|hou daarmee op|niet bellen|niet meer bellen|bel niet|geen contact",
  polite: "alstublieft|alsjeblieft|aub|ja|nee|ok|nu|svp|graag|dank u|bedankt|meteen",
  keywords: "stoppen afmelden uitschrijven",
  yes: "dat (?:heb ik|zei ik)(?: net| al)*(?: gezegd)?|ja|jazeker|graag|precies|inderdaad|klopt|juist|zeker|natuurlijk|alstublieft|jep|doe maar|absoluut",
  no: "nee|neen|niet|hoeft niet|ga door|geen|gewoon bellen",
  phrases: {
    ask: "Voor de zekerheid: wilt u dat wij u niet meer bellen en niet meer schrijven?",
    done: "Uw nummer staat nu op onze bel-me-niet-lijst. Tot ziens.",
    noted: "Ik geef door dat u niet meer gebeld wilt worden. Tot ziens.",
  },
};
