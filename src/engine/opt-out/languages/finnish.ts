import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const LOPPU = "(?= *(?:$|[.,!?]|kiitos|ja|tai))";
const MINUN = "(?:minulle|meille|minua|tanne|tahan numeroon|minuun|meita)";

/** Finnish. */
export const FI: OptOutLanguage = {
  code: "fi",
  cues: "soit soita puhe vies teks lope laka en poi pois pyyh jata jatt ei peru veda suor ala alka rauh robi ette et otta oto kyll tama kuin miks seis riit asia poli hair rosk gdpr tiet kirj lahe stop viim unoh lopp ole kato havi",
  plain: [
    "(?:lopet\\w*|lakat\\w*)(?: (?:jo|heti|nyt))?(?: (?:minulle|tanne))? (?:soitta\\w+|soittelu\\w*|viestit\\w+|viestien|hairin\\w+|tekstaa\\w*|nama puhelut)",
    "en halua(?: (?:enaa|saada|teilta|lisaa|mitaan|naita|enempaa))* (?:puhelu\\w*|viest\\w*|soitto\\w*|tekstivieste\\w*|yhteydenot\\w*)",
    "en halua(?: enaa)?(?: etta)?(?: (?:minulle|minuun|meille))? (?:soitet\\w+|otet\\w+|tulla soitet\\w*)",
    "(?:poist\\w*|pyyhi\\w*)(?: (?:minut|meidat|numeroni|tietoni|nimeni|tama numero))(?: (?:listalta\\w*|listoilta\\w*|rekister\\w*|jarjestelm\\w*|tietokanna\\w*|teidan \\w+))?(?= *(?:$|[.,!?]|kiitos|ja|heti))",
    "jat(?:a|takaa|takaapa)(?: (?:minut|meidat)) rauhaan",
    "ei (?:enaa|lisaa) (?:puhelu\\w*|viest\\w*|tekstivieste\\w*|soittoja)",
    "(?:peruutan|perun|vedan)(?: \\w+)? (?:suostumu\\w*|lupa\\w*)",
    "suoramarkkinointikiel\\w*|soittokielto\\w*|robinson ?lista\\w*",
    "(?:ette|et) saa (?:enaa )?(?:soittaa|ottaa yhteytta)",
  ],
  forbidding: [
    `al(?:a|kaa)(?: (?:enaa|koskaan|ikina))? (?:soita|soittako|kirjoita|kirjoittako|viesti|lahettako|laheta|hairitko|hairitse)(?: ${MINUN})*(?: (?:enaa|koskaan|uudelleen|uudestaan|takaisin|ikina))+`,
    `al(?:a|kaa)(?: (?:enaa|koskaan))? (?:soita|soittako|kirjoittako|hairitko|hairitse) ${MINUN}${LOPPU}`,
    `al(?:a|kaa) (?:otta\\w*|ota)(?: ${MINUN})?(?: enaa)? yhteytta(?: ${MINUN})?(?: enaa)?${LOPPU}`,
  ],
  innocent: [
    "miksi[^.!?]*",
    "unohta(?!kaa(?: \\w+){0,3} numer)\\w*[^.!?]*",
    "(?:aitini|isani|han)(?: \\w+){0,2} (?:sanoi|pyysi)[^.!?]*",
    "alkaa lopettako(?: \\w+)?|lopetin \\w+",
  ],
  keeps: [
    "en (?:halua|toivo|pyyda|sanonut),? etta (?:te )?(?:lopet|poist)\\w+(?: \\w+){0,2}",
    "(?<=^|[.,!?] |ei )(?:alkaa|ala) (?:lopet|poist)\\w+(?: \\w+){0,2}",
  ],
  limits:
    "ennen|jalkeen|tanaan|huomenna|aamulla|illalla|yolla|toissa|toihin|viikonloppu\\w*|kello|jos|kun|niin (?:myohaan|aikaisin)|maanantai\\w*|sunnuntai\\w*",
  instead: "soittakaa (?:huomenna|kannykkaan|mieluummin)|mieluummin|mina soitan|mutta kylla",
  bare: "stop|seis|lopeta|lopettakaa|riittaa|peru|poista|ala(?: enaa)? soita|alkaa soittako|ei puheluita",
  polite: "kiitos|joo|kylla|ei|ok|nyt|heti|ole hyva",
  keywords: "lopeta peru",
  yes: "kylla|joo|juu|kiitos|juuri niin|aivan|totta kai|tietysti|ilman muuta",
  no: "ei|en|jatka\\w*|ei tarvitse",
  phrases: {
    ask: "Varmuuden vuoksi: haluatteko, että lopetamme soittamisen ja viestien lähettämisen teille?",
    done: "Numeronne on nyt estolistallamme. Hei hei.",
    noted: "Välitän tiedon, ettette halua enää puheluita. Hei hei.",
  },
};
