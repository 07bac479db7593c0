/**
 * Ideas of an opt-out in one language, as beginnings of folded words joined by |. One alone says nothing; some pairs of
 * them are worth a question, in whatever words and order they come.
 */
export interface OptOutConcepts {
  /** Being called, texted or written to. */
  contact: string;
  /** Bringing something to an end. */
  stop: string;
  /** Taking out, and what somebody is taken out of. */
  remove: string;
  data: string;
  /** Whose data or what place it is: mine, yours. */
  whose: string;
  /** Lawyers, authorities, blocking. */
  legal: string;
  /** Too much, too often, unwelcome. */
  bother: string;
  /** Forbidding. */
  forbid: string;
  /** Leaving a list of recipients, which means the same in every context. */
  unsubscribe: string;
}

/** The ideas by language (ISO 639-1). */
export const CONCEPTS: Record<string, OptOutConcepts> = {
  en: {
    contact:
      "calls?|calling|called|marketing|advert|spam|newsletter|promotion|offers|notification|correspondence|communicat|reach(?:ing)? out|robo|ring|ringing|phon|text|messag|contact|hear from|dial|e ?mail|robocall",
    stop: "stop (?:these|this|with|all|the|your|sending|that)|no more|never again|not another|don t want (?:any|these|your|more|further)|don t need (?:your|these|any more)|end these|quit|cease|desist|enough|halt|put an end|not interested in (?:any|your|these)",
    remove:
      "remov|delet|eras|strik|scrub|wip|purg|take (?:me|us|my \\w+) (?:off|out)|get (?:(?:me|us|my \\w+) (?:off|out)|rid of)|destroy",
    data: "lists?|records?|data ?bases?|files?|details|data|mailing|number|books|register|contacts",
    whose: "my|our|your|this|me|us",
    legal:
      "lawyer|attorney|fcc|ftc|police|sue you|suing|court|complain(?:t|ing)? (?:about|against) you|report(?:ing)? (?:you|this|these)|reported|ombudsman|harass|gdpr|ico|blocking|block (?:you|this|these)|blocked you",
    bother:
      "(?<=(?:^|[^a-z0-9])(?:you|your|these|those)(?![a-z0-9])[^.!?]{0,60})(?:too (?:often|many|much)|far too|all the time|constantly|non ?stop|every (?:single )?(?:day|week|hour)|annoy|bother|nuisance|pester|sick (?:of|and)|fed up|tired of|had enough|enough of|don t appreciate|relentless|unwanted|unsolicited|driving me)|(?:got|have|has|must|need|needs) to stop",
    forbid:
      "forbid|prohibit|do not (?:consent|authori)|don t consent|no consent|no permission|withdraw|revok|not allowed|not welcome|illegal|unlawful",
    unsubscribe:
      "unsubscri|opting out|opt me out|opt out|deregister|off (?:your|this|the)(?: \\w+){0,2} list|i want (?:off|out)(?= *(?:$|[.,!?]))",
  },
  de: {
    contact: "anruf|ruf(?:en|t|e|st)?|telefon|kontakt|schreib|nachricht|sms|mail|melde[nt]?|belastig|werbung",
    stop: "schluss mit|kein(?:e|en|erlei)? (?:weiteren? |mehr )?(?:anruf|werbung|nachricht|sms|mail|kontakt)|nie wieder|nie mehr|nicht (?:mehr|wieder|noch ?mal|weiter)|stoppen sie|beenden sie|stellen sie|unterlass|hort auf|horen sie auf",
    remove: "losch|entfern|streich|nehmen sie (?:mich|uns)|vernicht|austrag|rausnehm",
    data: "daten|nummer|liste|kartei|datei|verteiler|datenbank|system|adresse",
    whose: "mein\\w*|unser\\w*|ihr(?:er|en|em)|eur\\w*|mich|uns|diese",
    legal: "anwalt|polizei|anzeig|verbraucherzentrale|bundesnetzagentur|dsgvo|datenschutz|klage|beschwer|blockier",
    bother:
      "nervt|nervig|standig|dauernd|jeden tag|jede woche|andauernd|zu oft|schon wieder|immer wieder|lastig|belastig|reicht mir|genug|satt|stort|unerwunscht",
    forbid: "untersag|verbiet|verbitte|widerspreche|widerruf|keine einwilligung|nicht einverstanden",
    unsubscribe: "abmelden von|abmelden|austragen|abbestell|robinson",
  },
  es: {
    contact:
      "llam(?:an|ada|adas|ar|en|ando|eis|e)|marc(?:ar|an|ando|en)|mensaj|contact|telefon|escrib|sms|correo|publicidad",
    stop: "nunca mas|no quiero (?:mas|que)|no vuelvan|no me (?:vuelvan|sigan)|ni una mas|no deseo|basta de|dejen de|deje de|paren de|pare de|paren ya|terminen|no mas (?:llamadas|mensajes|publicidad|sms|correos)",
    remove: "borr|elimin|quit(?:en|e|enme|eme)|suprim|saquen|saqueme|cancelen|den de baja|dar de baja",
    data: "lista|datos|numero|base|registro|fichero|sistema|telefono",
    whose: "mi|mis|nuestr\\w*|su|sus|vuestr\\w*|me|nos|este",
    legal: "abogad|polici|denunci|proteccion de datos|agencia|demand|queja|consumidor|bloque|aepd|profeco|tribunal",
    bother:
      "siempre llaman|a todas horas|todos los dias|cada (?:dia|semana)|molest|hart[oa]|pesad|cansad|acoso|ya esta bien|otra vez|demasiad|continuamente|insistent|dan la lata|ya basta",
    forbid:
      "prohib|revoco|retiro mi consentimiento|no (?:autorizo|consiento)|no doy (?:mi )?(?:permiso|consentimiento)",
    unsubscribe: "desuscrib|darme de baja|dar(?:me|nos)? de baja|desapunt|lista robinson",
  },
  fr: {
    contact: "appel|rappel|telephon|contact|messag|sms|mail|demarch|sollicit|ecri",
    stop: "plus jamais|ne veux plus|ne souhaite plus|ne voulons plus|jamais plus|cessez|laissez|arretez|cessez|stop aux?|stoppez|fini(?:ssez)? (?:de|avec)|plus (?:d |de )(?:appels?|messages?|sms|mails?|demarchage)",
    remove: "supprim|effac|retir|ray(?:ez|er)|enlev|radi(?:ez|er)|otez",
    data: "liste|fichier|donnees|numero|base|registre|coordonnees|systeme",
    whose: "mon|ma|mes|notre|nos|votre|vos|me|moi|nous|ce",
    legal: "avocat|police|plainte|cnil|rgpd|porte plainte|signal|bloctel|tribunal|justice|bloqu|dgccrf",
    bother:
      "marre|assez|ras le bol|sans arret|sans cesse|tous les jours|chaque (?:jour|semaine)|harcel|derang|encore vous|trop souvent|penible|insupportable|saoul|n en (?:peux|peut) plus",
    forbid: "interdi|revoqu|retire mon consentement|n autorise pas|m oppose|oppose a",
    unsubscribe: "desinscri|desins|desabonn|me desinscrire",
  },
  it: {
    contact: "chiam|telefon|messagg|contatt|sms|mail|scriv|pubblicit",
    stop: "mai piu|non voglio piu|non vogliamo piu|non desidero|non (?:mi|ci) (?:dovete|richiam)|lasciat|basta con|basta chiam|basta telefon|basta messagg|smett|finit\\w* di|piantatela",
    remove: "cancell|elimin|rimuov|togli|depenn|toglietemi",
    data: "elenc|lista|liste|dati|numero|archiv|database|registr|rubric",
    whose: "mi[oaei]|mie|miei|nostr\\w*|vostr\\w*|su[oaei]|questo|mi|ci",
    legal: "avvocat|polizia|denunc|garante|gdpr|carabinieri|querel|reclam|blocc|tribunale|agcom",
    bother:
      "seccatur|stuf[oai]|sempre voi|ancora voi|tutti i giorni|ogni (?:giorno|settimana)|disturb|molest|assill|stancat|troppo spesso|continuamente|scocciat|non ne posso piu",
    forbid: "vieto|viet|proibi|diffid|revoco|ritiro il consenso|nego il consenso|non autorizzo|oppongo",
    unsubscribe: "disiscriv|cancellarmi|disdire l iscrizione|registro delle opposizioni",
  },
  nl: {
    contact: "bel(?:len|t|letje|d|letjes)?|gebeld|telefoon|bericht|contact|sms|mail|app(?:en|jes)?|benader",
    stop: "nooit meer|niet meer|wil geen|geen (?:prijs|behoefte)|laat me met rust|stop met|hou op met|houd op met|kap met|geen (?:telefoontjes|berichten|smsjes|mails|reclame)(?: meer)?",
    remove: "verwijder|haal|schrap|wis|streep|gooi",
    data: "lijst|bestand|gegevens|nummer|systeem|database|adresboek",
    whose: "mijn|onze?|uw|jullie|me|mij|ons|dit",
    legal: "advocaat|politie|klacht|avg|toezichthouder|autoriteit|blokkeer|aangifte|acm|consumentenbond",
    bother:
      "elke (?:dag|week)|steeds|de hele tijd|vaak|zat|beu|lastig|irritant|vervelend|genoeg|alweer|weer jullie|constant",
    forbid: "verbied|geen toestemming|trek (?:mijn )?toestemming|maak bezwaar|bezwaar",
    unsubscribe: "afmeld|uitschrijv|schrijf me uit|meld me af|bel me niet register",
  },
  pt: {
    contact: "lig(?:ar|am|uem|ue|acao|acoes|ando)|telefon|chamad|mensag|contat|contact|sms|e ?mail|escrev|publicidade",
    stop: "nunca mais|nao quero (?:mais|receber)|nao (?:me )?(?:ligue|liguem|mande|mandem|contate|contactem)|deixem me|deixa me|par(?:em|e|ar) (?:de|com)|chega de|basta de|deixem de|deixe de|cansei|acabem",
    remove: "tir(?:em|e|ar)|remov|apag|exclu|elimin|delet|risqu",
    data: "lista|cadastro|dados|numero|base|sistema|registro|registo|ficheiro|contato",
    whose: "meu|minha|meus|minhas|noss\\w*|voss\\w*|su[ao]s?|me|nos|este",
    legal: "advogad|policia|procon|anatel|lgpd|rgpd|reclama|denunci|process|queixa|bloque|tribunal|justica",
    bother:
      "toda hora|todos os dias|todo dia|toda semana|sempre ligam|chat[oa]|incomod|fart[oa]|cansad|saco cheio|demais|outra vez|de novo voces|insist|nao aguento",
    forbid: "proib|revogo|retiro o (?:meu )?consentimento|nao autorizo|nao consinto",
    unsubscribe: "descadastr|cancelar (?:a )?(?:minha )?(?:inscricao|subscricao)|desinscrev|nao me perturbe",
  },
  sv: {
    contact: "ring(?:er|a|t|de)?|samtal|sms|meddeland|kontakt|mejl|hor(?:a)? av|skriv|utskick|reklam",
    stop: "aldrig mer|aldrig igen|inte (?:mer|fler|langre)|vill inte (?:ha|bli)|lamna mig|sluta|upphor|lagg av|inga fler|stoppa",
    remove: "ta bort|radera|stryk|plocka bort|avregistrer|ta mig ur",
    data: "list|register|uppgift|nummer|databas|utskick|system",
    whose: "mitt|mina|min|vara|vart|ert|era|er|mig|oss|detta",
    legal: "advokat|polis|anmal|gdpr|konsument|nix|block|jurist|imy|datainspektion",
    bother:
      "jobbigt|hela tiden|varje (?:dag|vecka)|trott pa|trott|less|stor(?:ande|s)?|igen ni|nu igen|ringer ni igen|for ofta|tjat|irriter|nog nu|sjunde gangen",
    forbid: "forbjud|aterkallar|samtycker inte|inget samtycke|drar tillbaka",
    unsubscribe: "avregistrer|avprenumerer|avanmal|avsluta prenumeration",
  },
  da: {
    contact: "ring(?:er|e|et)?|opkald|sms|besked|kontakt|mail|skriv|reklame",
    stop: "aldrig (?:mere|igen)|ikke (?:mere|flere|laengere)|vil ikke (?:have|ringes|kontaktes)|lad mig|stop med|hold op|lad vaere|ikke flere|stop beskeder|stop opkald",
    remove: "slet|fjern|stryg|tag mig",
    data: "liste|register|oplysninger|nummer|database|system|kartotek",
    whose: "mit|mine|min|vores|jeres|mig|os|dette",
    legal: "advokat|politi|anmeld|gdpr|klag|forbrugerombud|robinson|bloker",
    bother:
      "hele tiden|hver (?:dag|uge)|traet af|irriter|generer|forstyr|nu igen|for ofta|for tit|nok nu|altid ringer|igen igen",
    forbid: "forbyder|traekker (?:mit )?samtykke|giver ikke samtykke|frabeder",
    unsubscribe: "afmeld|framelding|frameld|afmelde",
  },
  no: {
    contact: "ring(?:er|e|t)?|samtale|sms|melding|kontakt|epost|mail|skriv|reklame",
    stop: "aldri (?:mer|igjen)|ikke (?:mer|flere|lenger)|vil ikke (?:ha|bli)|la meg|stopp|slutt|hold opp|ikke flere|kutt ut",
    remove: "slett|fjern|stryk|ta meg",
    data: "liste|register|opplysninger|nummer|database|system",
    whose: "mitt|mine|min|vare|deres|meg|oss|dette",
    legal: "advokat|politi|anmeld|gdpr|klag|forbruker|reserver|blokker|datatilsyn",
    bother: "hele tiden|hver (?:dag|uke)|lei av|irriter|plag|forstyrr|stott og stadig|na igjen|for ofte|nok na|mas",
    forbid: "forbyr|trekker (?:mitt )?samtykke|samtykker ikke|frabed",
    unsubscribe: "avmeld|meld meg av|reservasjonsregister",
  },
  pl: {
    contact: "dzwon|wydzwania|telefon|wiadomosc|sms|kontakt|pisz|pisa|mail|reklam",
    stop: "nigdy wiecej|nie chce|nie zycze|prosze (?:wiecej|juz) nie|nie dzwo|nie pisz|dajcie|przestan|dosc (?:tych|juz|telefon|wiadom)|koniec z|skoncz",
    remove: "usun|wykresl|skresl|wypis|skasuj",
    data: "danych|dane|baz|list|numer|system|rejestr|kartotek",
    whose: "moj\\w*|mnie|nas\\w*|wasz\\w*|panstwa|ten",
    legal: "adwokat|prawnik|policj|rodo|uodo|uke|uokik|skarg|pozw|blokuj|prokuratur|zglosz",
    bother:
      "ciagle|codziennie|co (?:dzien|tydzien)|znowu|za czesto|mam dosc|nekan|nekaj|denerw|meczy|przeszkadza|bez przerwy|wkurza",
    forbid: "zabraniam|zakazuj|cofam zgod|wycofuj|nie wyrazam zgody|sprzeciw",
    unsubscribe: "wypisz|wypisac|wyrejestr|rezygnuje z",
  },
  fi: {
    contact: "soit|puhel|viest|tekstari|yhtey|kirjoit|sahkopost|mainos",
    stop: "ei koskaan|en halua|alkaa (?:enaa|soit|laitt|laheta)|jattakaa|lopett|lopeta|riittaa jo|ei enaa (?:puheluita|viesteja|soittoja)",
    remove: "poist|pyyh|havit",
    data: "lista|listalta|rekister|tiedot|tieton|numero|jarjestelm|tietokan",
    whose: "minu\\w*|mei\\w*|numeroni|tietoni|teidan|taman",
    legal: "asianaj|poliisi|tietosuoja|valitus|kuluttaja|ilmian|esto|lakimie|gdpr",
    bother: "koko ajan|joka (?:paiva|viikko)|taas te|kyllast|hairit|arsytt|liian usein|jatkuvasti|hairio",
    forbid: "kiell|peruutan suostumu|en suostu|vastustan",
    unsubscribe: "peruuta tilaus|poistu listalta|robinson",
  },
  tr: {
    contact: "ara(?:ma|yin|yip|malar|niz|maniz|r)|telefon|mesaj|sms|iletisim|yaz(?:ma|in)|reklam",
    stop: "bir daha|asla|artik (?:ara|mesaj|istem)|istemiyorum|rahat birak|birak|kesin|son verin|yeter artik|artik yeter|durdur",
    remove: "sil(?:in|iniz)?|cikar|kaldir",
    data: "liste|kayit|kayd|veri|numara|sistem|rehber",
    whose: "benim|beni|numarami|verilerimi|bilgilerimi|sizin|bizi|bu",
    legal: "avukat|polis|sikayet|kvkk|dava|mahkeme|savcilik|engelle|btk|tuketici",
    bother: "surekli|her gun|her hafta|bikt|rahatsiz|yine mi|cok sik|usand|yeter",
    forbid: "yasak|izin vermiyorum|onayimi geri|riza vermiyorum|istemiyorum",
    unsubscribe: "abonelik iptal|listeden cik|ret",
  },
  cs: {
    contact: "hovor|vola|volejte|volat|telefon|zprav|sms|kontakt|piste|psat|mail|reklam",
    stop: "nikdy|nechci|nepreji|uz ne|prestante|prestan|dost|uz ne|konec s|nechte toho|nechte me",
    remove: "smaz|vymaz|odstran|vyskrtn|vyrad",
    data: "seznam|databaz|udaj|cislo|system|evidenc|rejstrik",
    whose: "moj\\w*|me|mne|mi|nas\\w*|vas\\w*|toto|muj",
    legal: "pravnik|advokat|polici|stiznost|gdpr|uoou|soud|zaluj|blokuj",
    bother: "porad|kazdy (?:den|tyden)|zase|mam dost|otravuj|obtezuj|neustale|prilis casto|vadi|stve",
    forbid: "zakazuj|odvolavam souhlas|nesouhlasim|zadny souhlas",
    unsubscribe: "odhlas|odregistr|vypis",
  },
};
