/** Written things beside the words by which people say them, in one language. */
interface SpokenForms {
  /** Name of the language in English. */
  name: string;
  time: Pair;
  date: Pair;
  price: Pair;
  phone: Pair;
  email: Pair;
}

type Pair = [written: string, said: string];

const FORMS: Record<string, SpokenForms> = {
  en: {
    name: "English",
    time: ["14:30", "half past two in the afternoon"],
    date: ["2026-11-26", "Thursday, November twenty-sixth"],
    price: ["49.90", "forty-nine ninety"],
    phone: ["+1 202 555 0147", "plus one, two oh two, five five five, oh one four seven"],
    email: ["anna.berg@example.com", "anna dot berg at example dot com"],
  },
  es: {
    name: "Spanish",
    time: ["14:30", "las dos y media de la tarde"],
    date: ["2026-11-26", "el jueves veintiséis de noviembre"],
    price: ["49,90 €", "cuarenta y nueve euros con noventa"],
    phone: ["+34 612 345 678", "más tres cuatro, seis uno dos, tres cuatro cinco, seis siete ocho"],
    email: ["anna.berg@example.com", "anna punto berg arroba example punto com"],
  },
  de: {
    name: "German",
    time: ["14:30", "vierzehn Uhr dreißig"],
    date: ["2026-11-26", "Donnerstag, der sechsundzwanzigste November"],
    price: ["49,90 €", "neunundvierzig Euro neunzig"],
    phone: ["+49 170 1234567", "plus vier neun, eins sieben null, eins zwei drei, vier fünf, sechs sieben"],
    email: ["anna.berg@example.com", "anna Punkt berg at example Punkt com"],
  },
  fr: {
    name: "French",
    time: ["14:30", "quatorze heures trente"],
    date: ["2026-11-26", "le jeudi vingt-six novembre"],
    price: ["49,90 €", "quarante-neuf euros quatre-vingt-dix"],
    phone: ["06 12 34 56 78", "zéro six, douze, trente-quatre, cinquante-six, soixante-dix-huit"],
    email: ["anna.berg@example.com", "anna point berg arobase example point com"],
  },
  sv: {
    name: "Swedish",
    time: ["14:30", "halv tre på eftermiddagen"],
    date: ["2026-11-26", "torsdagen den tjugosjätte november"],
    price: ["49,90 kr", "fyrtionio kronor och nittio öre"],
    phone: ["070 123 45 67", "noll sju noll, ett två tre, fyra fem, sex sju"],
    email: ["anna.berg@example.com", "anna punkt berg snabel-a example punkt com"],
  },
};

const is = ([written, said]: Pair): string => `"${written}" is "${said}"`;

/** Returns the rule for saying numbers, dates and addresses, with examples where the language (BCP 47) has some. */
export function describeSpokenForms(language: string): string {
  const forms = FORMS[language.slice(0, 2).toLowerCase()];
  const rule =
    "Write numbers, prices, dates, times and addresses as the words that people say, in the language you speak";
  if (!forms) return `${rule}. Say a phone number or a code digit by digit, in groups.`;
  const { name, time, date, price, phone, email } = forms;
  return `${rule}: in ${name}, ${[time, date, price].map(is).join(", ")}. Say a phone number or a code digit by digit, in groups (${is(phone)}), and an e-mail address with its marks as words (${is(email)}).`;
}
