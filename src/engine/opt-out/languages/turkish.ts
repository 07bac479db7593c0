import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const BENI = "(?:beni|bizi|bana|bize|bu numarayi|burayi|bu numaraya)";
const ARAMA =
  "(?:aramay\\w*|arama|aramayin|aramayiniz|yazmayin|yazma|mesaj atmayin|mesaj atma|mesaj gondermeyin|rahatsiz etmeyin|rahatsiz etme)";
const SON = "(?= *(?:(?:lutfen|tesekkurler)? *(?:$|[.,!?])|artik|ve))";

/** Turkish. */
export const TR: OptOutLanguage = {
  code: "tr",
  cues: "ara aram aran arat yaz yazm mesa rahat raha biktim bikt yoru sure habi bu kac bira yete sms cagr numa beni bizi bilg kayd onay izni riza daha bask arti kara stop dur ret ipta avuk poli taci sika spam kvkk asla bir surek iste son unut bits",
  plain: [
    `(?:${BENI} )?(?:aramayi|aramaktan|yazmayi|mesaj atmayi|rahatsiz etmeyi)(?: (?:artik|hemen|lutfen))* (?:birak\\w*|kes\\w*|vazgec\\w*)`,
    "(?:aranmak|arama|mesaj|sms|cagri)(?: (?:almak))? istemiyor\\w*",
    "(?:numaram\\w*|beni|bilgilerimi|kaydimi)(?: (?:lutfen|hemen))?(?: (?:listenizden|listeden|sistemden|sisteminizden|kayitlarinizdan|rehberinizden))? (?:silin\\w*|sil|cikarin\\w*|cikar|kaldirin\\w*)(?= *(?:$|[.,!?]|lutfen))",
    "(?:beni|bizi) rahat birak\\w*",
    "(?:onayimi|iznimi|rizami)(?: \\w+)? (?:geri cek\\w*|iptal)",
    "(?:daha fazla|baska|artik) (?:arama|mesaj|sms) (?:istemi\\w*|yok)",
    "kara liste\\w*|arama engel\\w*",
  ],
  forbidding: [
    `(?:(?:bir daha|artik|asla)(?: (?:sakin|lutfen))? )+(?:${BENI} )?${ARAMA}`,
    `${BENI} (?:bir daha|artik|asla) ${ARAMA}`,
    `(?:^|[.,!?] ?)(?:lutfen )?${BENI} ${ARAMA}(?: artik)?${SON}`,
  ],
  innocent: [
    "neden[^.!?]*",
    "unutmayin[^.!?]*|aramayi unutma\\w*",
    "(?:annem|babam|esim)(?: \\w+){0,3} (?:dedi|soyledi)[^.!?]*",
    "sigarayi birak\\w*|mesaj birak\\w*",
  ],
  keeps: [
    "(?:(?:aramayi|yazmayi|aramaktan|yazmaktan) )?(?:birakmanizi|durdurmanizi|silmenizi|vazgecmenizi) (?:iste(?:miyorum|mem|medim))",
    "(?:aramayi|yazmayi|aramaktan) (?:birakmayin\\w*|kesmeyin\\w*|vazgecmeyin\\w*)",
  ],
  limits: "once|sonra|kadar|bugun|yarin|aksam|sabah|gece|iste|hafta sonu|saat|eger|pazartesi|pazar",
  instead: "cep(?:ten)? arayin|yarin arayin|ben ararim|ama evet",
  bare: "stop|dur|durun|yeter|iptal|birakin|ret|aramayin(?:iz)?|arama|mesaj atmayin|yazmayin",
  polite: "lutfen|evet|hayir|tamam|artik|tesekkurler|hemen",
  keywords: "ret iptal dur",
  yes: "evet|tabii|tabi|lutfen|aynen|dogru|kesinlikle|olur",
  no: "hayir|yok|devam|istemem|gerek yok|degil",
  phrases: {
    ask: "Emin olmak için soruyorum: sizi aramayı ve size yazmayı bırakalım mı?",
    done: "Numaranız artık arama yasağı listemizde. Hoşça kalın.",
    noted: "Bir daha aranmak istemediğinizi ileteceğim. Hoşça kalın.",
  },
};
