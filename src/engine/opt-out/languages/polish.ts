import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const DZWONIC =
  "(?:dzwonic|pisac|wydzwaniac|kontaktowac(?: sie)?|wysylac|niepokoic|nekac|przeszkadzac|telefonowac|esemesowac)";
const DZWON =
  "(?:dzwon(?:cie|ic|ili|il|ila|ily)?|pisz(?:cie)?|kontaktuj(?:cie)?(?: sie)?|wysylaj(?:cie)?|niepokoj(?:cie)?|nekaj(?:cie)?|telefonuj(?:cie)?|wydzwaniaj(?:cie)?|oddzwaniaj(?:cie)?)";
const RZECZY = "(?:telefonow|polaczen|wiadomosci|sms ow|smsow|reklam|kontaktu|maili)";
const KONIEC = "(?= *(?:(?:prosze|dziekuje)? *(?:$|[.,!?])|i|albo|bo))";

/** Polish. */
export const PL: OptOutLanguage = {
  code: "pl",
  cues: "dzwo pisa pisz wydz kont wysy niep neka przes prze tele esem wiad sms smso smsa rekl mail pola przest skon dosc koni nie zycz chce zeby aby by usun wykr skre wypi wypisz daj dajc dac zost wyco cofa odwo wiec nigd juz mam ciag to ile zglo rezy stop adwo poli spam rodo uoki dene wyre osta zapo wyra skas znik zadz",
  plain: [
    `(?:przestan\\w*|przestac|skoncz\\w*|dosc)(?: (?:juz|do mnie|mnie|z|tych|mi|do nas))* (?:${DZWONIC}|${RZECZY}|telefonami|tymi telefonami)`,
    "koniec z (?:tymi )?(?:telefonami|wiadomosciami|smsami)",
    `nie (?:zycze|zyczymy|chce|chcemy|potrzebuje)(?: (?:sobie|juz|od was|wiecej|dostawac|otrzymywac|zadnych|tych|waszych))* ${RZECZY}`,
    `nie (?:zycze sobie|chce),? (?:juz )?(?:wiecej )?(?:zeby|aby|by)(?: (?:do mnie|mnie|panstwo|ktos|do nas|wiecej))*(?: ?\\w*)? ?(?:dzwon\\w+|pisa\\w+|kontaktowa\\w+|nekal\\w*)`,
    `(?:zeby|aby|zebyscie|by)(?: (?:do mnie|wiecej|juz|mnie))* nie (?:${DZWONIC}|${DZWON})`,
    "zebyscie(?: do mnie)?(?: wiecej)? (?:dzwonili|pisali)",
    `(?:usun\\w*|wykresl\\w*|skresl\\w*|wykreslic|usunac|wypis\\w*)(?: (?:prosze|natychmiast))* (?:mnie|nas|moj numer|moje dane|ten numer|nasz numer)(?: (?:z|ze)(?: \\w+){0,2} (?:listy|bazy|systemu|rejestru|danych)|${KONIEC})`,
    `(?:mnie|nas|numer) (?:wypisac|wykreslic|usunac|skreslic)(?: (?:z|ze)(?: \\w+){0,2} (?:listy|bazy|systemu)|${KONIEC})`,
    "(?:daj\\w*|dac) (?:mi|nam)(?: \\w+)? (?:swiety )?spokoj",
    "zostaw\\w*(?: (?:mnie|nas))? w spokoju|(?:mnie|nas) (?:zostawic )?w spokoju",
    "(?:wycofuje|cofam|odwoluje)(?: \\w+)? (?:zgode|zgody)",
    "nie (?:wyrazam|mam|macie)(?: \\w+)? zgody(?: na)?",
    "nie wolno (?:panstwu |wam )?(?:do mnie )?dzwonic",
  ],
  forbidding: [
    `(?:wiecej |nigdy |juz )+(?:do (?:mnie|nas) |mnie |mi )?nie ${DZWON}`,
    `nigdy wiecej (?:do mnie )?nie ${DZWON}`,
    `(?:nie)(?: (?:prosze))? ${DZWON}(?: (?:do mnie|mi|do nas|tu|pod ten numer|ze mna))*(?: (?:wiecej|nigdy|juz))+`,
    `nie ${DZWON}(?: (?:sie))? (?:do mnie|do nas|ze mna|mnie)${KONIEC}`,
    `nie wysylaj\\w*(?: mi)? wiecej`,
    `nie (?:dzwonic|pisac)(?: do mnie)? wiecej`,
  ],
  innocent: [
    "nie przestawaj\\w*(?: \\w+)?",
    "(?:moj|moja|mama|on|ona|oni)(?: \\w+){0,2} (?:powiedzial\\w*|prosil\\w*|mowil\\w*)[^.!?]*",
    "dlaczego[^.!?]*",
    "nie zapomn\\w+[^.!?]*|nie przegapi\\w*[^.!?]*|nie chce (?:przegapic|przeszkadzac)[^.!?]*",
    "lista oczekujacych|liste oczekujacych|nie wiecej niz|przestal\\w* palic",
    "nikt nie dzwonil",
  ],
  keeps: [
    "nie (?:chce|prosze|mowie|chcialbym|chcialabym),? (?:o to,? )?(?:zeby|aby|by)(?:scie)?(?: \\w+){0,2} (?:przesta|usun|skresl)\\w+(?: \\w+){0,2}",
    "(?<=^|[.,!?] |nie )(?:prosze )?nie (?:przesta|usuwa|skresla)\\w+(?: \\w+){0,2}",
  ],
  limits:
    "przed|po|do (?:poludnia|godziny|jutra)|dzisiaj|dzis|jutro|wieczorem|rano|w (?:poniedzialek|wtorek|srode|czwartek|piatek|sobote|niedziele|pracy|nocy|weekend\\w*)|na (?:stacjonarny|komorke|ten)|podczas|miedzy|jesli|gdy|kiedy|tak (?:pozno|wczesnie)|o (?:godzinie|tej)|tylko",
  instead: "tylko (?:na|przez)|lepiej (?:na|jutro)|prosze dzwonic (?:na|jutro)|ja zadzwonie|ale tak",
  bare: "stop|przestancie|przestan|dosc|rezygnuje|wypisz mnie|prosze przestac|koniec|nie dzwon(?:ic|cie)?|prosze nie dzwonic|nie pisac",
  polite: "prosze|tak|ok|juz|teraz|dziekuje|natychmiast",
  keywords: "rezygnuje stop wypisz",
  yes: "tak|owszem|prosze|dokladnie|zgadza sie|oczywiscie|jasne|no tak|wlasnie|poprosze",
  no: "nie|kontynuuj\\w*|nigdy|w porzadku",
  phrases: {
    ask: "Dla pewności: czy mamy przestać do Państwa dzwonić i pisać?",
    done: "Państwa numer jest teraz na naszej liście zablokowanych. Do widzenia.",
    noted: "Przekażę, że nie życzą sobie Państwo więcej telefonów. Do widzenia.",
  },
};
