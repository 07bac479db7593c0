import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const CHIAMARE =
  "(?:r?i?chiamar|telefonar|scriver|contattar|disturbar|molestar|importunar|mandar|inviar|tormentar|messaggiar)(?:mi|ci|e|e qui|emi)?";
const CHIAMI =
  "(?:(?:ri)?chiam(?:i|ate|ino|a)|telefon(?:i|ate|ino)|scriv(?:a|ete|ano|i)|contatt(?:i|ate|ino)|disturb(?:i|ate|ino)|molest(?:i|ate)|mand(?:i|ate)|invi(?:i|ate)|importun(?:i|ate))";
const COSE = "(?:chiamate|telefonate|messaggi|sms|mail|email|pubblicita|contatti|comunicazioni|chiamata|messaggio)";
const MIO = "(?:il (?:mio|nostro) (?:numero|nome|telefono)|i miei dati|questo numero)";
const LISTA = "(?:list[ae]|database|elenc[oh]i?|archivi[oi]?|sistema|registr[oi]|rubrica|dati)";
const FINE = "(?= *(?:(?:per favore|grazie)? *(?:$|[.,!?])|e|o|mai|adesso|qui))";

/** Italian. */
export const IT: OptOutLanguage = {
  code: "it",
  cues: "chia rich tele scri cont dist mole impo mand invi torm mess smet fini pian bast nien mai ness stop non tolg togl canc elim rimu lev leva depe lasc revo riti annu regi disi disd stuf stan quan come denu avvo poli spam gara priv gdpr ferm vi e sono la ulti dime scor spar fate",
  plain: [
    `(?:smett\\w+|finitela|finiscila|piantatela|piantala|finisca)(?: subito| per favore)? (?:di|con) ${CHIAMARE}`,
    `(?:la smetta|la finisca|la pianti|smettetela|smettila) (?:di|con) ${CHIAMARE}`,
    `(?:basta|niente piu|niente|mai piu|nessun[ae]? altr[aeo]|stop)(?: (?:con|a|le|queste|alle))* ${COSE}`,
    "non (?:voglio|vogliamo|desidero|desideriamo|vorrei)(?: piu)?(?: mai)? (?:essere|venire|che mi)(?: piu)? (?:(?:ri)?chiamat\\w+|contattat\\w+|disturbat\\w+|chiamiate|contattiate)",
    `non (?:voglio|vogliamo|desidero|desideriamo)(?: (?:piu|ricevere|avere|altre|altri|le vostre|i vostri|vostre|queste|nessuna|nessun))* ${COSE}`,
    "non (?:voglio|vogliamo) (?:piu (?:sentirvi|sentirla|sentirti|avere a che fare)|che (?:mi )?(?:chiamiate|contattiate)(?: piu)?)",
    `(?:(?:tolg|togl|cancell|elimin|rimuov|lev|depenn)\\w*|(?:mi|ci) (?:tolga|cancelli|elimini|rimuova|levi|togli|tolgano)) (?:dal|dalla|dalle|dai|dagli|da)(?: \\w+){0,2} ${LISTA}(?! (?:d attesa|di))`,
    `(?:togl|tolg|cancell|elimin|rimuov|lev)\\w* ${MIO}`,
    "(?:mi lasci|lasciatemi|lasciami|ci lasci|lasciateci)(?: stare)? (?:in pace|stare|tranquill[oa])",
    "(?:revoco|ritiro|annullo)(?: \\w+){0,2} consenso",
    "registro (?:pubblico )?delle opposizioni",
    "(?:voglio|vorrei) (?:cancellarmi|disiscrivermi|disdire l iscrizione)",
    "disiscriv\\w+",
    "non (?:avete|ha) il (?:diritto|permesso) di chiamar",
    `(?:di|prego di|chiedo di) non ${CHIAMARE} (?:mai )?piu`,
    "non (?:potete|dovete|deve|puo) (?:piu )?(?:chiamarmi|contattarmi|disturbarmi)(?: piu)?",
    "che nessuno (?:mi )?(?:ri)?chiami piu",
  ],
  forbidding: [
    `non (?:(?:mi|ci) )?${CHIAMI}(?:mi|ci)?(?: (?:mai piu|piu|mai))(?: questo numero)?`,
    `non (?:(?:mi|ci) )?${CHIAMI}(?:mi|ci)(?: (?:mai piu|piu|mai))?(?: (?:${COSE}))?${FINE}`,
    `non mi ${CHIAMI}${FINE}`,
    `non (?:ri)?chiamare (?:mai )?piu`,
    "mai piu (?:chiamare|chiamarmi|chiamate)",
  ],
  innocent: [
    "non smett\\w+(?: di \\w+)?",
    "(?:mia|mio|la|il|lei|lui)(?: \\w+){0,2} (?:ha detto|ha chiesto|disse)(?: (?:a|al|alla|ai)(?: \\w+)?)?[^.!?]*",
    "mi chiamo \\w+|non mi chiamo piu[^.,!?]*",
    "non mi chiam(?:i|ate) (?!piu|mai|prima|dopo|sul|al|oggi|domani|la|il|di|per|a|in|e|o|se|quando|qui|dopo)\\w+",
    "perche non[^.!?]*",
    "lista d attesa|lista della spesa",
    "non mi chiama piu[^.!?]*",
    "non dimentic\\w+[^.!?]*",
    "(?:ho|ha) smesso di fumare|non voglio disturbar(?:e|la|vi)",
    "non (?:voglio )?perdere[^.!?]*",
  ],
  keeps: [
    "non (?:voglio|vorrei|desidero|ho detto|chiedo) che (?:mi |la )?(?:smett|cancell|togli|rimuov|cess)\\w+(?: di)?(?: \\w+){0,2}",
    "(?<=^|[.,!?] |no )non (?:(?:smett|cessat)\\w+(?: di)?(?: \\w+){0,2}|(?:cancellate|toglie?te|rimuove?te)mi|mi (?:cancell|togli|rimuov)\\w+)",
  ],
  limits:
    "prima|dopo|fino|oggi|domani|stasera|questa (?:mattina|settimana|sera)|la (?:mattina|sera|domenica)|di (?:mattina|sera|notte|pomeriggio|lunedi)|il (?:lunedi|martedi|mercoledi|giovedi|venerdi|sabato|mattino|pomeriggio)|sul (?:fisso|lavoro|cellulare)|al (?:lavoro|fisso)|in ufficio|durante|mentre|tra le|se|quando|cosi (?:tardi|presto)|alle|a (?:quest|mezzo)|per (?:il|la)",
  instead:
    "(?:mi chiami|chiamatemi|mi richiami|chiamami) (?:sul|al|domani|dopo|piu tardi|meglio)|meglio (?:sul|domani|per)|mi scriva|chiamo io|la chiamo io|solo per|ma si",
  bare: "stop|basta|smettetela|smettila|la smetta|fermi|disiscrivimi|cancellami|rimuovi|finitela|non chiamare|non chiam(?:i|ate)|non disturbare|non scriv(?:a|ete)",
  polite: "per favore|si|grazie|no|ok|adesso|ora|subito|la prego",
  keywords: "ferma annulla disiscrivi basta",
  yes: "l ho (?:gia|appena) detto|si|certo|per favore|esatto|giusto|corretto|va bene|grazie si|assolutamente|certamente|proprio cosi|volentieri",
  no: "no|non|continuate|va bene cosi|macche|mai",
  phrases: {
    ask: "Solo per essere sicuri: vuole che smettiamo di chiamarla e di scriverle?",
    done: "Il suo numero è ora nella nostra lista di esclusione. Arrivederci.",
    noted: "Riferirò che non desidera più essere chiamato. Arrivederci.",
  },
};
