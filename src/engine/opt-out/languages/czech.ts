import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const VOLAT =
  "(?:volejte|volej|volat|volali|telefonujte|telefonovat|piste|pis|psat|kontaktujte|kontaktovat|obtezujte|obtezovat|otravujte|otravovat|rusit|ruste)";
const VECI = "(?:hovor\\w*|telefonat\\w*|zprav\\w*|sms\\w*|reklam\\w*|mail\\w*|kontakt\\w*)";
const KONEC = "(?= *(?:(?:prosim|dekuji|diky)? *(?:$|[.,!?])|a|nebo|protoze))";

/** Czech. */
export const CS: OptOutLanguage = {
  code: "cs",
  cues: "vola vole tele pis psat pist kont obte otra rusi rust zpra sms rekl mail hovo prest dost kone nepr nech chci chce prej zada zadn uz uzne nevo nepi nete neko neob nezn neru smaz vyma odst vysk vyra odvo odhl souh robi stop prav advo poli stiz gdpr sezn data udaj cisl pokoj dejt znov nikd vice napo zapo posl skon zmiz zavo",
  plain: [
    `(?:prestante|prestan|prestat|dost)(?: (?:uz|mi|me|nam|s|tech|temi))* (?:${VOLAT}|${VECI})`,
    `(?:ne(?:chci|chceme|preji|prejeme)(?: si)?|uz nechci)(?: (?:uz|dalsi|zadne|zadny|od vas|vase|dostavat))* ${VECI}`,
    `ne(?:preji|prejeme) si,? (?:abyste|aby)(?: \\w+){0,3} (?:volal\\w*|psal\\w*|kontaktoval\\w*)`,
    `(?:smazte|vymazte|odstrante|vyskrtnete|vyradte|smazat|vymazat)(?: (?:prosim|okamzite|si))* (?:me|nas|moje|muj|me cislo|moje cislo|muj telefon|moje udaje)(?: \\w+){0,2}(?: (?:z|ze)(?: \\w+){0,2} (?:seznamu|databaze|systemu|evidence)|${KONEC})`,
    "(?:odvolavam|rusim|beru zpet)(?: \\w+)? souhlas",
    "nesouhlasim s (?:\\w+ ){0,2}(?:kontakt\\w*|volani\\w*|zpracovani\\w*)",
    "(?:dejte|nechte|nech) (?:mi|me|nam|nas) (?:uz )?(?:konecne )?(?:pokoj|na pokoji|byt)",
  ],
  forbidding: [
    "(?:uz|nikdy|vice|vickrat)(?: (?:mi|me|sem|nam|nas|uz|nikdy|vice))* ne(?:volejte|volej|piste|pis|telefonujte|kontaktujte|obtezujte|otravujte|ozyvejte)",
    "ne(?:volejte|volej|piste|telefonujte|kontaktujte|obtezujte|otravujte|ozyvejte)(?: (?:mi|me|sem|nam|nas|se))*(?: (?:uz|nikdy|vice|znovu|vickrat))+",
    `ne(?:volejte|piste|telefonujte|kontaktujte|obtezujte|otravujte) (?:mi|me|sem|nam|nas)${KONEC}`,
  ],
  innocent: [
    "neprestavejte[^.!?]*",
    "proc jste[^.!?]*",
    "nezapomente[^.!?]*",
    "ne vic nez|nejvys",
    "prestal\\w* kourit",
  ],
  keeps: [
    "(?:nechci|neprej[ei]\\w*|nerikam),? (?:abyste|at)(?: m[ei])? (?:prest|vymaz|smaz|odstran|vyskrt)\\w+(?: (?:volat|psat|kontaktovat))?",
    "(?<=^|[.,!?] |ne )(?:prosim )?(?:neprestavejte|nemazte|neodstranujte)(?: \\w+){0,2}",
  ],
  limits:
    "pred|po|do (?:poledne|rana|vecera)|dnes|zitra|vecer|rano|v (?:pondeli|utery|stredu|ctvrtek|patek|sobotu|nedeli|praci|noci)|o vikendu|mezi|pokud|kdyz|tak (?:pozde|brzo)|na (?:pevnou|mobil)|jen",
  instead: "(?:volejte|zavolejte|piste) (?:radeji|na|mi na)|jen (?:na|pres)|radeji (?:na|zitra)|ja (?:zavolam|se ozvu)",
  bare: "stop|prestante|dost|odhlasit|nevolejte|nevolat|nepsat|konec|nepiste",
  polite: "prosim|ano|ok|uz|ted|dekuji|diky|hned",
  keywords: "stop odhlasit konec",
  yes: "ano|jo|jasne|presne|prosim|ovsem|samozrejme|urcite|spravne",
  no: "ne|nikoli|pokracujte|to nic|v poradku",
  phrases: {
    ask: "Pro jistotu: máme vám přestat volat a psát?",
    done: "Vaše číslo je teď na seznamu čísel, na která nevoláme. Na shledanou.",
    noted: "Předám, že si nepřejete, abychom vám volali. Na shledanou.",
  },
};
