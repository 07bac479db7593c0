import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const ANRUFE =
  "(?:anrufe?|werbeanrufe?|telefonate|nachrichten?|sms|mails?|e mails?|werbung|kontakt(?:aufnahme)?|whatsapps?|nachricht|belastigung(?:en)?)";
const MEHR = "(?:mehr|wieder|nochmals?|weiter(?:hin)?|langer|noch ?mal)";
const MICH = "(?:mich|uns|mir|hier|bei (?:mir|uns)|diese nummer|unter dieser nummer|meine nummer|auf dieser nummer|mi)";
const SELBST =
  "(?:mich|uns|meine (?:telefon|handy)?nummer|unsere nummer|diese nummer|meine daten|meinen namen|die nummer)";
const LISTE =
  "(?:(?:anruf|telefon|kunden|kontakt)?listen?|verteiler|datenbank|system|kartei|datei|datenbestand|adressbuch|computer|daten)";
const PARTIKEL = "(?:bitte|endlich|sofort|mal|doch|jetzt|einfach|gleich|umgehend|ganz|schnell)";
const EINWILLIGUNG = "(?:einwilligung|zustimmung|einverstandnis|erlaubnis)";
const WERBUNG = "(?:werb\\w*|marketing\\w*|anruf\\w*|kontakt\\w*|telefonwerbung)";
const ENDE = "(?= *(?:(?:bitte|danke|ok|okay|ja|gell|verstanden|klar)? *(?:$|[.,!?])|und|oder|sonst|klar|weil|denn))";

/** German. */
export const DE: OptOutLanguage = {
  code: "de",
  cues: "anru ange anzu ruf rief kont beze bela stor nerv schr meld tele werb nach sms mail what auf hor stre losc nehm nimm entf trag aust werf schm nich nie niem kein lass vers wide entz zieh sper robi verb unte abme abbe genu satt leid dau das zeig anwa poli stop schl bund date dsgv spam unve nichts kontakt losch ausz wie kontaktiert ist verg einw zust einv erla verz letz",
  plain: [
    `(?:hor(?:en|t)?|aufhoren|aufzuhoren|auf)(?: sie)?(?: (?:bitte|endlich|damit|doch|mal|jetzt|auf))*(?: ${MICH})? (?:anzurufen|zu belastigen|zu schreiben|zu kontaktieren|zu nerven|zu storen|zu telefonieren|mit (?:den|diesen|ihren) ${ANRUFE})`,
    `(?:aufhoren|hort auf|horen sie (?:bitte |endlich )?auf|hor (?:bitte |endlich )?auf),?(?: (?:hier|bitte|damit))*,?(?: ${MICH})* (?:anzurufen|zu schreiben|zu belastigen|zu kontaktieren|zu storen|mit)`,
    `keine(?:n|r)? (?:weiteren? )?${ANRUFE}(?: \\w+){0,2} (?:mehr|erhalten|bekommen|haben)`,
    `keine(?:n)? (?:weiteren |solchen |ihrer )?${ANRUFE}(?: (?:mehr|bitte|von ihnen))*${ENDE}`,
    `(?:wunsche|mochte|will|wollen|mochten|brauche) (?:\\w+ )?keine(?:n|rlei)? (?:weiteren? |solchen? )?${ANRUFE}`,
    `(?:nicht|niemand|nie) (?:${MEHR} )?(?:von ihnen |von euch )?(?:angerufen|kontaktiert|angeschrieben|belastigt|gestort|genervt|angesprochen)(?: zu)? (?:werden|wird|werde)`,
    "nichts mehr von (?:ihnen|euch|dir) (?:horen|wissen)(?! (?:habe|hab|haben))|von (?:ihnen|euch|dir) nichts mehr (?:horen|wissen)",
    `(?:streich\\w*|losch\\w*|nehm\\w*|nimm|entfern\\w*|trag\\w*|austragen|werf\\w*|schmeiss\\w*)(?: sie)?(?: ${PARTIKEL})* ${SELBST}(?: ${PARTIKEL})*(?: (?:von|aus|vom|aus dem|aus der)(?: \\w+){0,2} ${LISTE}|(?: aus)?${ENDE})`,
    `${SELBST}(?: bitte)? (?:von|aus|vom)(?: \\w+){0,2} ${LISTE}`,
    `(?:meine|diese|unsere) (?:telefon|handy)?nummer(?: \\w+){0,2} (?:losch\\w*|entfern\\w*|streich\\w*|rausnehmen|sperren)`,
    `(?:lass\\w*|lasst)(?: sie)?(?: (?:mich|uns|mir))(?: (?:bitte|endlich|doch|einfach))* in (?:ruhe|frieden)(?= *(?:$|[.,!?]|und|mit))`,
    "verschon\\w* (?:sie )?(?:mich|uns)",
    `(?:widerrufe|entziehe|ziehe)(?: \\w+){0,2} ${EINWILLIGUNG}`,
    `${EINWILLIGUNG}(?: \\w+)? (?:widerruf\\w*|entzieh\\w*|ziehe\\w*|zuruckzieh\\w*)`,
    `(?:widerspreche|widerspruch)(?: (?!nicht )\\w+){0,8} ${WERBUNG}`,
    "(?:sperrliste|robinson ?liste|nicht anrufen liste)",
    "(?:verbiete|untersage) (?:ihnen|euch),?(?: \\w+){0,3} (?:anzurufen|zu kontaktieren|anrufe|anruf|zu schreiben)",
    `(?:verbitte|verbitten) (?:mir|uns)(?: \\w+){0,3} ${ANRUFE}`,
    "von (?:weiteren |ihren |solchen |allen )*(?:\\w*anrufen?|kontakt\\w*|werbung)(?: \\w+){0,2} (?:ab|absehen|abzusehen)",
    `hor\\w*(?: sie)?(?: ${PARTIKEL})* auf(?: (?:damit|dauernd|standig|hier|${MICH}))* (?:anzurufen|zu schreiben|zu kontaktieren)`,
    `unterlass\\w* (?:sie )?(?:bitte )?(?:diese|ihre|die|weitere|solche) ${ANRUFE}`,
    "(?:will|mochte|wurde|wollen) (?:mich|uns)(?: (?:gerne?|bitte|hier))* (?:abmelden|austragen)",
    `(?:abmelden|abbestellen)${ENDE}`,
    `(?:niemand|keiner) (?:${MICH} )?(?:mehr |wieder )?(?:${MICH} )?(?:anruf\\w*|kontaktiert|belastigt)`,
    `(?:nie|niemals) (?:wieder|mehr) (?:\\w+ )?(?:an ?rufen|schreiben|kontaktieren|melden)`,
  ],
  forbidding: [
    `(?:ruf\\w*|kontaktier\\w*|belastig\\w*|schreib\\w*|stor\\w*|nerv\\w*|meld\\w*|telefonier\\w*)(?: (?:sie|ihr|du))?(?: (?:bitte|doch|sich|euch|dich|endlich))*(?: ${MICH})*(?: (?:bitte|doch|endlich|in zukunft|zukunftig|kunftig|ab (?:jetzt|sofort)))* (?:nicht|nie|niemals|nimmer)(?: ${MEHR})+(?: (?:bei|mit) (?:mir|uns))?(?: (?:hier|bitte|mehr))*(?: an)?(?! als)${ENDE}`,
    `(?:ruf\\w*|kontaktier\\w*|belastig\\w*|meld\\w*)(?: (?:sie|ihr))?(?: (?:bitte|doch|sich|euch))*(?: ${MICH})+(?: bitte)? (?:nicht|nie|nimmer)(?: mehr)?(?: an)${ENDE}`,
    `(?:nicht|nie|niemals)(?: ${MEHR})+(?: \\w+)?(?: (?:bei mir|hier))? (?:an ?rufen|anruf\\w*|anzurufen|kontaktieren|zu kontaktieren|schreiben|belastigen|storen|stort|melden|zuruckrufen)(?! (?:kann|konnte|habe|sie kann))`,
    `(?:belastig\\w*|stor\\w*|nerv\\w*)(?: sie)?(?: ${MICH}) nicht${ENDE}`,
    `(?:will|mochte|wunsche|wollen|mochten) nicht,? dass (?:sie|ihr|man|jemand|mich jemand|uns jemand)(?: ${MICH})?(?: (?:${MEHR}|jemals|weiter))* (?:anruf\\w*|kontaktier\\w*|belastig\\w*|anschreib\\w*)`,
  ],
  innocent: [
    "(?:hor\\w*)(?: sie)?(?: bitte)? nicht auf",
    "(?:meine?|der|die|das|er|sie) (?:\\w+ )?(?:hat|haben|sagte|meinte)(?: \\w+){0,3} (?:gesagt|gebeten|gemeint)[^.!?]*",
    "ich rufe[^.,!?]*|wir rufen[^.,!?]*",
    "(?:in ruhe) (?:uberlegen|nachdenken|lesen|anschauen|ansehen)",
    "warum (?:haben|rufen|ruft|melden|hast)[^.!?]*",
    "nicht mehr als",
    "warteliste|einkaufsliste|gasteliste|preisliste",
    "(?:sohn|tochter|kind|kinder|auto|hund|frau|mann)(?: \\w+){0,3} abmelden",
    "abmelden muss ich[^.!?]*",
    "(?:habe|hab|haben)(?: \\w+){0,4} (?:nichts|keine\\w*)(?: \\w+){0,4} (?:gehort|bekommen|erhalten)",
    "vergessen sie (?:bitte )?nicht[^.!?]*",
  ],
  keeps: [
    "(?:will|mochte|wollte|wunsche|sage|habe)(?: (?:gar|doch|ja|auch))? nicht,? (?:gesagt,? )?dass (?:sie|ihr|du|man)(?: \\w+){0,4} (?:aufhor\\w*|aufhort|einstell\\w*|losch\\w*|streich\\w*)(?:,? (?:anzurufen|zu schreiben|mit \\w+(?: \\w+)?))?",
    "(?<=^|[.,!?] |nein )(?:bitte )?(?:nicht|hor\\w* (?:sie |ihr )?(?:bitte )?nicht|(?:losch|streich)\\w* (?:sie |ihr )?mich (?:bitte )?nicht) ?(?:auf\\w*|losch\\w*|streich\\w*)?",
  ],
  limits:
    "vor|nach|bis|heute|morgen(?:s)?|abends|mittags|nachts|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende|vormittag|nachmittag|abend)|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|wahrend|zwischen|wenn|falls|auf (?:dem|der) (?:festnetz|arbeit)|im buro|bei der arbeit|so (?:spat|fruh)|um \\w+ uhr|jetzt gerade|wegen|sondern",
  instead:
    "sondern|(?:rufen|ruf|versuchen|nehmen)(?: sie)?(?: mich)? (?:lieber|besser|auf|unter|morgen|spater)|lieber (?:per|auf|mobil)|nur (?:per|mobil|schriftlich)|ich (?:rufe|melde)|schreiben sie mir|aber (?:ja|schreiben)",
  bare: "stop|stopp|aufhoren|schluss|abmelden|abbestellen|stop jetzt|schluss jetzt|horen sie auf|hor auf|loschen|nicht mehr anrufen|nicht anrufen|rufen sie nicht an|keine anrufe",
  polite: "bitte|ja|ok|okay|jetzt|sofort|nein|danke|doch|mal|endlich|damit|hallo",
  keywords: "stopp abbestellen abmelden",
  yes: "hab(?:e)? ich (?:ihnen )?(?:doch )?(?:schon|gerade|eben|bereits) gesagt|sag(?:e|te)? ich doch|ja|jawohl|jo|jep|genau|richtig|bitte|klar|gerne|unbedingt|stimmt|sicher|auf jeden fall|mach(?:en)? sie das|naturlich|allerdings",
  no: "nein|ne|nee|nicht|nicht notig|doch nicht|schon gut|passt schon|weiter|auf keinen fall|kein|quatsch",
  phrases: {
    ask: "Nur um sicherzugehen: Sollen wir Sie nicht mehr anrufen und Ihnen nicht mehr schreiben?",
    done: "Ihre Nummer steht jetzt auf unserer Sperrliste. Auf Wiederhören.",
    noted: "Ich gebe weiter, dass Sie nicht mehr angerufen werden möchten. Auf Wiederhören.",
  },
};
