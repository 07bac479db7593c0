import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const RINGE = "(?:ringe(?: op)?|kontakte|skrive|sms e|smse|sende|genere|chikanere|forstyrre|maile)";
const TING = "(?:opkald|telefonopkald|sms er|smser|sms|beskeder|mails|reklamer|henvendelser)";
const MIG = "(?:til mig|mig|os|hertil|her|til dette nummer|til os|mit nummer)";
const IGEN = "(?:mere|igen|laengere|nogensinde)";
const LISTE = "(?:list(?:e|en|er)|database(?:n)?|system(?:et)?|register|registeret|kartotek)";
const SLUT = "(?= *(?:(?:tak|venligst)? *(?:$|[.,!?])|og|eller|nu))";

/** Danish. */
export const DA: OptOutLanguage = {
  code: "da",
  cues: "ring kont skri sms send gene chik fors mail opka tele besk rekl henv stop hold lad vil onsk ikke inge fjer slet stry tag trak robi ma maa skal aldr afme fram trae det hvor meld advo poli spam gdpr irri traek tilb sids glem",
  plain: [
    `(?:stop|hold op|stoppe|holde op|holder op|lad vaere)(?: (?:nu|med|at))* ${RINGE}`,
    `(?:vil|onsker) (?:ikke|aldrig)(?: (?:laengere|mere))? (?:ringes op|kontaktes|forstyrres|blive (?:ringet op|kontaktet)|have at i ringer)`,
    `(?:vil|onsker) ikke (?:have|modtage|faa|fa) (?:flere |jeres |mere |nogen )*${TING}`,
    `(?:ikke|ingen) flere ${TING}`,
    "vil ikke hore (?:mere )?fra jer",
    `(?:fjern|slet|stryg|tag)(?: venligst)? (?:mig|os|mit (?:telefon)?nummer|mine (?:data|oplysninger)|dette nummer)(?: (?:fra|af|ud af)(?: \\w+){0,2} ${LISTE}|${SLUT})`,
    "lad (?:mig|os) (?:vaere )?i (?:fred|ro)|lad mig vaere(?= *(?:$|[.,!?]))",
    "traekker(?: \\w+){0,2} samtykke(?: \\w+)?|tilbagekalder(?: \\w+)? samtykke",
    "robinson ?list\\w*",
    "(?:ma|maa|skal) (?:ikke|aldrig) (?:ringe|kontakte)(?: (?:til mig|mig|mere|igen|hertil))+",
    "(?:ikke|aldrig) skal (?:ringe|kontakte|skrive)(?: \\w+)? (?:mere|igen)",
    "afmeld (?:mig|os)|(?:vil|onsker)(?: gerne)? (?:afmeldes|afmelde mig|meldes fra)",
  ],
  forbidding: [
    `(?:ring|kontakt|skriv|send)(?: ${MIG})* (?:ikke|aldrig)(?: ${MIG})*(?: ${IGEN})+`,
    `(?:ring|kontakt|skriv)(?: ${MIG})* (?:ikke|aldrig) ${MIG}${SLUT}`,
    `(?:ikke|aldrig) ${RINGE}(?: ${MIG})* ${IGEN}`,
    `ring aldrig(?: ${MIG})*(?: ${IGEN})?${SLUT}`,
  ],
  innocent: [
    "(?:min|mit|han|hun|de)(?: \\w+){0,2} (?:sagde|bad|har sagt)(?![a-z])[^.!?]*",
    "hvorfor[^.!?]*",
    "glem ikke[^.!?]*",
    "holdt op med at ryge|ventelist\\w*|ikke (?:mere|flere) end|ga glip[^.!?]*|stop ikke(?: \\w+)?",
  ],
  keeps: [
    "(?:vil|onsker|sagde|siger) ikke(?: have)?,? at (?:i|de|du) (?:skal )?(?:hold|stop|fjern|slet)\\w*(?: op)?(?: med)?(?: at)?(?: \\w+){0,2}",
    "(?<=^|[.,!?] |nej )(?:hold|stop|slet|fjern) (?:mig )?ikke(?: op)?(?: med)?(?: at)?(?: \\w+)?",
  ],
  limits:
    "for|inden|efter|indtil|i dag|i morgen|i aften|om (?:morgenen|aftenen|natten|mandagen)|pa (?:fastnet\\w*|arbejde|mandag|tirsdag|onsdag|torsdag|fredag|lordag|sondag)|mens|mellem|hvis|nar|sa (?:sent|tidligt)|klokken",
  instead: "ring pa|ring i morgen|ring hellere|hellere (?:pa|via)|jeg ringer|kun (?:pa|via)|men ja",
  bare: "stop|stopp|hold op|afmeld|stop nu|stop det|slet mig|ring ikke|ikke ring(?:e)?",
  polite: "tak|venligst|ja|nej|ok|nu|bare|sa",
  keywords: "afmeld frameld",
  yes: "ja|jo|jep|gerne|tak|praecis|netop|rigtigt|absolut|selvfolgelig|okay",
  no: "nej|ikke|fortsaet|det er fint|aldrig",
  phrases: {
    ask: "Bare for at være sikker: vil De have, at vi holder op med at ringe og skrive til Dem?",
    done: "Deres nummer står nu på vores spærreliste. Farvel.",
    noted: "Jeg giver videre, at De ikke vil ringes op igen. Farvel.",
  },
};
