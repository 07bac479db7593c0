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
  /** "This is the last time": said of the contact, and not of a time that has passed. */
  last: string;
  /** A wish that something ends. */
  end: string;
  /** Wants to be left in peace, to hear nothing more, or one's number forgotten, which means the same in every context. */
  leave: string;
  /** Negations, and words for the time to come, as whole words. */
  not: string;
  again: string;
  /** Leaving a list of recipients, which means the same in every context. */
  unsubscribe: string;
}

/** The ideas by language (ISO 639-1). */
export const CONCEPTS: Record<string, OptOutConcepts> = {
  en: {
    contact:
      "reached|rung|rang|in touch|get hold of|calls?|calling|called|marketing|advert|spam|newsletter|promotion|offers|notification|correspondence|communicat|reach(?:ing)? out|robo|ring|ringing|phon|text|messag|contact|hear from|dial|e ?mail|robocall",
    stop: "(?:done|through|finished) with|spar(?:e|ing) (?:me|us)|refus|refrain|abstain|discontinu|(?:you|they)(?: re| are| were)? (?:not|never) to|not to (?:be|get|receive|have)|not (?:be )?(?:contacted|called|rung|phoned|texted|bothered|disturbed) (?:any ?more|again|any longer)|stop (?:these|this|with|all|the|your|sending|that)|no more|never again|not another|don t want (?:any|these|your|more|further)|don t need (?:your|these|any more)|end these|quit|cease|desist|enough|halt|put an end|not interested in (?:any|your|these)",
    remove:
      "disappear|vanish|scrap|bin my|remov|delet|eras|strik|scrub|wip|purg|take (?:me|us|my \\w+) (?:off|out)|get (?:(?:me|us|my \\w+) (?:off|out)|rid of)|destroy",
    data: "sheet|directory|roster|lists?|records?|data ?bases?|files?|details|data|mailing|number|books|register|contacts",
    whose: "my|our|your|this|me|us",
    legal:
      "regulator|trading standards|lawyer|attorney|fcc|ftc|police|sue you|suing|court|complain(?:t|ing)? (?:about|against) you|report(?:ing)? (?:you|this|these)|reported|ombudsman|harass|gdpr|ico|blocking|block (?:you|this|these)|blocked you",
    bother:
      "had it with (?:you|these)|day and night|around the clock|(?<=(?:^|[^a-z0-9])(?:you|your|these|those)(?![a-z0-9])[^.!?]{0,60})(?:too (?:often|many|much)|far too|all the time|constantly|non ?stop|every (?:single )?(?:day|week|hour)|annoy|bother|nuisance|pester|sick (?:of|and)|fed up|tired of|had enough|enough of|don t appreciate|relentless|unwanted|unsolicited|driving me)|(?:got|have|has|must|need|needs) to stop",
    forbid:
      "(?:prefer|rather)(?: that)? (?:you|they) (?:didn t|did not|don t|not|wouldn t)|never (?:gave|agreed|consented|signed up|authori[sz]ed|said yes)|forbid|prohibit|do not (?:consent|authori)|don t consent|no consent|no permission|withdraw|revok|not allowed|not welcome|illegal|unlawful",
    last: "(?:this|that|it)(?: \\w+){0,4} last (?:time|call|text|message)|(?:this|that|it|let this|make this|make that|better)(?: (?:is|was|be|s))?(?: \\w+)? (?:the )?(?:very )?last (?:time|call|text|message)",
    end: "(?:want|need|like|wish)(?: \\w+){0,7} (?:to end|to be over|to finish|over with|to stop)|make (?:it|this|them|these calls) stop|(?:this|it) (?:has to|must|needs to) (?:end|stop)",
    leave:
      "(?:don t|do not|no longer) exist for (?:you|your)|(?:want|wish|need|require|expect)(?: \\w+){0,2} nothing (?:more|further|else)(?: \\w+){0,3} from (?:you|your)|(?:nothing|anything|no part|want nothing)(?: more)? to do with (?:you|your)|block(?:ed|ing) (?:\\w+ ){0,4}your numbers?|(?:don t|do not|never) (?:you )?(?:ever )?(?:try|bother trying)(?: \\w+){0,2} again|(?:appreciate|prefer|love|grateful|glad)(?: it)? if (?:nobody|no one|you never|you stopped|you didn t|you wouldn t)|(?:cross|strike|scratch|tick) (?:me|us) off(?= *(?:$|[.,!?]))|leave (?:me|us|this number|my \\w+)(?: \\w+){0,5} (?:alone|in peace|be)(?= *(?:$|[.,!?]))|do not call(?= *$)|(?<!(?:i|we|he|she|they|always|not|don t|never|to|keep) )forget (?:about |all about )?(?:my|this|our|that|you|the)(?: \\w+){0,4} number",
    not: "not|don t|never|no|nobody|isn t|aren t",
    again:
      "further|again|(?:one|a single|another|a second) (?:more )?time|once more|under any circumstances?|whatsoever|any ?more|any longer|in (?:the )?future|from now on|ever",
    unsubscribe:
      "unsubscri|opting out|opt me out|opt out|deregister|off (?:your|this|the)(?: \\w+){0,2} list|i want (?:off|out)(?= *(?:$|[.,!?]))",
  },
  de: {
    contact:
      "anruf|angeruf|(?:ge)?stor(?:en|t|st)|nummer(?: \\w+){0,3} wahl|wahl(?:en|t|e)?(?: \\w+){0,4} nummer|ruf(?:en|t|e|st)?|telefon|kontakt|schreib|nachricht|sms|mail|melde[nt]?|belastig|werbung",
    stop: "verschon|erspar|verzicht|absehen|abzusehen|lehne|weiger|nicht langer|bleiben lassen|schluss|unterlassen|schluss mit|kein(?:e|en|erlei)? (?:weiteren? |mehr )?(?:anruf|werbung|nachricht|sms|mail|kontakt)|nie wieder|nie mehr|nicht (?:mehr|wieder|noch ?mal|weiter)|stoppen sie|beenden sie|stellen sie|unterlass|hort auf|horen sie auf",
    remove:
      "nicht (?:\\w+ )?(?:langer|mehr) (?:gespeichert|gefuhrt|gelistet)|verschwind|tilg|ausradier|beseitig|losch|entfern|streich|nehmen sie (?:mich|uns)|vernicht|austrag|rausnehm",
    data: "daten|bestand|nummer|liste|kartei|datei|verteiler|datenbank|system|adresse",
    whose: "mein\\w*|unser\\w*|ihr(?:er|en|em)|eur\\w*|mich|uns|diese",
    legal: "anwalt|polizei|anzeig|verbraucherzentrale|bundesnetzagentur|dsgvo|datenschutz|klage|beschwer|blockier",
    bother:
      "nervt|nervig|standig|dauernd|jeden tag|jede woche|andauernd|zu oft|schon wieder|immer wieder|lastig|belastig|reicht mir|genug|satt|stort|unerwunscht",
    forbid:
      "nie (?:\\w+ ){0,3}(?:zugestimmt|eingewilligt|erlaubt|erlaubnis|einverstanden)|nicht zugestimmt|untersag|verbiet|verbitte|widerspreche|widerruf|keine einwilligung|nicht einverstanden",
    last: "(?:das|dies|es)(?: hier)? (?:war|ist|bleibt)(?: \\w+){0,2} letzte[sr]? (?:mal|anruf)|zum letzten mal (?:angerufen|gestort|belastigt)",
    end: "soll (?:\\w+ ){0,5}schluss sein|(?:will|mochte|wunsche|wollen|verlange)(?: \\w+){0,2},? dass (?:\\w+ ){0,4}(?:aufhort|aufhoren|endet|enden|schluss ist|ein ende)|(?:muss|soll) (?:\\w+ ){0,3}(?:aufhoren|ein ende haben|schluss sein)",
    leave:
      "von (?:ihnen|euch)(?: \\w+){0,4} (?:nie|nichts)(?: \\w+){0,4} (?:horen|wissen|lesen)|nichts (?:mehr )?mit ihnen zu (?:tun|schaffen)|lass\\w*(?: sie)? (?:mich|uns)(?: \\w+){0,5} in (?:ruhe|frieden)|(?:nichts|nie)(?: \\w+){0,5} von (?:ihnen|euch) (?:mehr )?(?:horen|wissen)|(?:vergessen sie|vergiss|vergesst)(?!(?: \\w+)? nicht)(?: \\w+){0,3},?(?: \\w+){0,3} nummer",
    not: "nicht|nie|niemals|kein\\w*|niemand",
    again: "wieder|noch ?mals?|mehr|in zukunft|zukunftig|kunftig|jemals|weiterhin|weitere\\w*",
    unsubscribe: "abmelden von|abmelden|austragen|abbestell|robinson",
  },
  es: {
    contact:
      "llamado|telefone|llam(?:an|ada|adas|ar|en|ando|eis|e|o)|marc(?:ar|an|ando|en)|mensaj|contact|telefon|escrib|sms|correo|publicidad",
    stop: "ces(?:en|e|ar)|evit(?:en|e)|absteng|ahorr(?:en|e)(?:me|nos)|suspend|rechazo|me niego|ya no quiero|prefiero no|no quiero recibir|ni llamadas|no volver a|nunca mas|no quiero (?:mas|que)|no vuelvan|no me (?:vuelvan|sigan)|ni una mas|no deseo|basta de|dejen de|deje de|paren de|pare de|paren ya|terminen|no mas (?:llamadas|mensajes|publicidad|sms|correos)",
    remove:
      "desaparec|retir(?:en|e|ar)|tach(?:en|e)|sac(?:ar|ad)|borr|elimin|quit(?:en|e|enme|eme)|suprim|saquen|saqueme|cancelen|den de baja|dar de baja",
    data: "lista|datos|numero|base|registro|fichero|sistema|telefono",
    whose: "mi|mis|nuestr\\w*|su|sus|vuestr\\w*|me|nos|este",
    legal: "abogad|polici|denunci|proteccion de datos|agencia|demand|queja|consumidor|bloque|aepd|profeco|tribunal",
    bother:
      "siempre llaman|a todas horas|todos los dias|cada (?:dia|semana)|molest|hart[oa]|pesad|cansad|acoso|ya esta bien|otra vez|demasiad|continuamente|insistent|dan la lata|ya basta",
    forbid:
      "no (?:tiene[ns]?|teneis) (?:mi )?(?:autorizacion|permiso|consentimiento)|nunca (?:les |le |he )?(?:di|dado|autorice|consenti|acepte|aceptado)(?![a-z])|prohib|revoco|retiro mi consentimiento|no (?:autorizo|consiento)|no doy (?:mi )?(?:permiso|consentimiento)",
    last: "(?:es|sea|fue|sera) la ultima (?:vez|llamada)(?! que (?:hable|compre))",
    end: "que (?:se|esto|eso) (?:\\w+ )?(?:acabe|termine)|(?:quiero|deseo|exijo|necesito) que (?:\\w+ ){0,4}(?:acab|termin|par[ea]n?|ces[ea])",
    leave:
      "nada (?:mas )?que ver con (?:ustedes|vosotros)|(?:borr|elimin|quit|sac|saqu)(?:en|e|ad|a)(?:me|nos)(?: (?:de una vez|ya|por favor|de todo))?(?= *(?:$|[.,!?]))|dej(?:en|e|ad|a)(?:me|nos| (?:este|mi|nuestro|a mi)(?: \\w+){1,2})(?: \\w+){0,5} (?:en paz|tranquil[oa]s?)|de (?:ustedes|vosotros|su empresa)(?: \\w+){0,2} no quiero (?:saber|oir)|(?:no quiero|nunca)(?: \\w+){0,5} (?:saber|oir)(?: \\w+){0,2} de (?:ustedes|vosotros|usted|su empresa)|olvid(?:en|ense|ese|ad|aos|e|ate|a)(?: \\w+){0,4} numero",
    not: "ningun\\w*|ni un[ao]|no|ni|nadie",
    again: "mas|otra vez|de nuevo|en (?:el )?futuro|en adelante|vuelv\\w+|volver",
    unsubscribe: "desuscrib|darme de baja|dar(?:me|nos)? de baja|desapunt|lista robinson",
  },
  fr: {
    contact:
      "joindre|compos(?:er|ez) (?:ce|mon|notre)|faire (?:ce|mon) numero|coups? de fil|appel|rappel|telephon|contact|messag|sms|mail|demarch|sollicit|ecri",
    stop: "ne plus|cess(?:er|e|ation)|evit(?:ez|er)|epargn|absten|renonc|refus|mett(?:ez|re) fin|ne veux recevoir|ni appels?|plus jamais|ne veux plus|ne souhaite plus|ne voulons plus|jamais plus|cessez|laissez|arretez|cessez|stop aux?|stoppez|fini(?:ssez)? (?:de|avec)|plus (?:d |de )(?:appels?|messages?|sms|mails?|demarchage)",
    remove: "disparai|sort(?:ez|ir)|supprim|effac|retir|ray(?:ez|er)|enlev|radi(?:ez|er)|otez",
    data: "liste|fichier|donnees|numero|base|registre|coordonnees|systeme",
    whose: "mon|ma|mes|notre|nos|votre|vos|me|moi|nous|ce",
    legal: "avocat|police|plainte|cnil|rgpd|porte plainte|signal|bloctel|tribunal|justice|bloqu|dgccrf",
    bother:
      "marre|assez|ras le bol|sans arret|sans cesse|tous les jours|chaque (?:jour|semaine)|harcel|derang|encore vous|trop souvent|penible|insupportable|saoul|n en (?:peux|peut) plus",
    forbid:
      "jamais (?:\\w+ )?(?:donne|accepte|autorise|consenti|dit oui)|interdi|revoqu|retire mon consentement|n autorise pas|m oppose|oppose a",
    last: "(?:c est|ce sera|ce soit|c etait) (?:bien )?(?:la derniere fois|le dernier (?:appel|message))",
    end: "que (?:cela|ca) (?:cesse|s arrete|finisse)|(?:veux|souhaite|voudrais|aimerais|exige) que (?:\\w+ ){0,4}(?:s arrete|cesse|se termine|finisse|prenne fin)|il faut que (?:\\w+ ){0,3}(?:s arrete|cesse)",
    leave:
      "(?:inutile|(?:pas|plus) (?:la peine|besoin))(?: \\w+)? de (?:\\w+ )?(?:rappel|recontact|retelephon)|de vous(?: \\w+){0,4} plus (?:rien|jamais)|(?:laissez|fichez|foutez) (?:ce|mon|ma)(?: \\w+){1,2} (?:tranquilles?|en paix)|plus (?:rien )?(?:avoir )?(?:affaire|a voir|a faire) (?:a|avec) vous|(?:laissez|fichez|foutez) (?:moi|nous)(?: \\w+){0,5} (?:tranquilles?|en paix|la paix)|(?:plus|jamais)(?: \\w+){0,5} entendre parler de vous|oubli(?:ez|e)(?: \\w+){0,4} numero",
    not: "plus|aucun\\w*|ne|n|pas",
    again:
      "plus (?:me|nous|jamais|personne|aucune?|compos\\w+)|ni (?:\\w+ ){1,2}ni jamais|a l avenir|desormais|encore|de nouveau",
    unsubscribe: "desinscri|desins|desabonn|me desinscrire",
  },
  it: {
    contact: "chiam|telefon|messagg|contatt|sms|mail|scriv|pubblicit",
    stop: "ne chiamate|non voglio ricevere|mai piu|non voglio piu|non vogliamo piu|non desidero|non (?:mi|ci) (?:dovete|richiam)|lasciat|basta con|basta chiam|basta telefon|basta messagg|smett|finit\\w* di|piantatela",
    remove: "spari(?:re|sca)|cancell|elimin|rimuov|togli|depenn|toglietemi",
    data: "elenc|lista|liste|dati|numero|archiv|database|registr|rubric",
    whose: "mi[oaei]|mie|miei|nostr\\w*|vostr\\w*|su[oaei]|questo|mi|ci",
    legal: "avvocat|polizia|denunc|garante|gdpr|carabinieri|querel|reclam|blocc|tribunale|agcom",
    bother:
      "seccatur|stuf[oai]|sempre voi|ancora voi|tutti i giorni|ogni (?:giorno|settimana)|disturb|molest|assill|stancat|troppo spesso|continuamente|scocciat|non ne posso piu",
    forbid:
      "non avete (?:il )?(?:mio )?(?:permesso|consenso)|mai (?:\\w+ )?(?:dato|autorizzato|accettato)|vieto|viet|proibi|diffid|revoco|ritiro il consenso|nego il consenso|non autorizzo|oppongo",
    last: "(?:e|sia|sara|era|questa e) l ultima (?:volta|chiamata|telefonata)",
    end: "deve finire|devono finire|(?:voglio|vorrei|pretendo|esigo) che (?:\\w+ ){0,4}(?:fini|smett|cess|termin)",
    leave:
      "(?:niente|nulla)(?: piu)? a che fare con voi|lasci(?:atemi|ateci|ate|ami)(?: \\w+){0,5} (?:in pace|stare)|(?:non voglio|mai)(?: \\w+){0,5} (?:sentirvi|sapere (?:piu )?(?:niente |nulla )?di voi)|(?:dimentic(?:ate|atevi|hi|a)|scord(?:ate|atevi|i))(?: \\w+){0,4} numero",
    not: "niente|nessun\\w*|non|ne",
    again: "piu|in futuro|ancora|di nuovo|d ora in poi",
    unsubscribe: "disiscriv|cancellarmi|disdire l iscrizione|registro delle opposizioni",
  },
  nl: {
    contact: "gebel|bel(?:len|t|letje|d|letjes)?|gebeld|telefoon|bericht|contact|sms|mail|app(?:en|jes)?|benader",
    stop: "nooit meer|niet meer|wil geen|geen (?:prijs|behoefte)|laat me met rust|stop met|hou op met|houd op met|kap met|geen (?:telefoontjes|berichten|smsjes|mails|reclame)(?: meer)?",
    remove: "verdwijn|verwijder|haal|schrap|wis|streep|gooi",
    data: "lijst|bestand|gegevens|nummer|systeem|database|adresboek",
    whose: "mijn|onze?|uw|jullie|me|mij|ons|dit",
    legal: "advocaat|politie|klacht|avg|toezichthouder|autoriteit|blokkeer|aangifte|acm|consumentenbond",
    bother:
      "elke (?:dag|week)|steeds|de hele tijd|vaak|zat|beu|lastig|irritant|vervelend|genoeg|alweer|weer jullie|constant",
    forbid:
      "nooit (?:\\w+ )?(?:toestemming|akkoord|ja gezegd)|verbied|geen toestemming|trek (?:mijn )?toestemming|maak bezwaar|bezwaar",
    last: "(?:dit|dat|het)(?: \\w+)? (?:is|was|wordt)(?: \\w+)? (?:de laatste keer|het laatste telefoontje)",
    end: "(?:wil|wens|eis)(?: \\w+)? dat (?:\\w+ ){0,4}(?:ophoudt|stopt|stoppen|ophouden|afgelopen|eindigt)|(?:moet|moeten) (?:\\w+ ){0,3}(?:ophouden|stoppen|afgelopen)",
    leave:
      "niets (?:meer )?met (?:jullie|u) te maken|laat (?:me|mij|ons)(?: \\w+){0,5} met rust|(?:niets|niks|nooit)(?: \\w+){0,5} van (?:u|jullie)(?: \\w+)? horen|(?:niets|niks|nooit)(?: meer)? van (?:u|jullie)|vergeet(?: \\w+){0,4} nummer",
    not: "niet|geen|niemand",
    again: "meer|voortaan|weer|opnieuw|in de toekomst|ooit",
    unsubscribe: "afmeld|uitschrijv|schrijf me uit|meld me af|bel me niet register",
  },
  pt: {
    contact:
      "ligou|ligado|incomod|lig(?:ar|am|uem|ue|acao|acoes|ando)|telefon|chamad|mensag|contat|contact|sms|e ?mail|escrev|publicidade",
    stop: "nao quero receber|nem chamadas|nunca mais|nao quero (?:mais|receber)|nao (?:me )?(?:ligue|liguem|mande|mandem|contate|contactem)|deixem me|deixa me|par(?:em|e|ar) (?:de|com)|chega de|basta de|deixem de|deixe de|cansei|acabem",
    remove: "desaparec|tir(?:em|e|ar)|remov|apag|exclu|elimin|delet|risqu",
    data: "lista|cadastro|dados|numero|base|sistema|registro|registo|ficheiro|contato",
    whose: "meu|minha|meus|minhas|noss\\w*|voss\\w*|su[ao]s?|me|nos|este",
    legal: "advogad|policia|procon|anatel|lgpd|rgpd|reclama|denunci|process|queixa|bloque|tribunal|justica",
    bother:
      "toda hora|todos os dias|todo dia|toda semana|sempre ligam|chat[oa]|incomod|fart[oa]|cansad|saco cheio|demais|outra vez|de novo voces|insist|nao aguento",
    forbid:
      "nao tem (?:a minha )?(?:autorizacao|permissao)|nunca (?:\\w+ )?(?:autorizei|dei|aceitei|consenti|permiti)|proib|revogo|retiro o (?:meu )?consentimento|nao autorizo|nao consinto",
    last: "(?:e|seja|foi|sera) a ultima (?:vez|chamada|ligacao)",
    end: "(?:quero|desejo|exijo) que (?:\\w+ ){0,4}(?:acab|termin|par[ea]m?|cess)",
    leave:
      "nada (?:mais )?a ver (?:convosco|com voces)|deix(?:em|e|a) (?:me|nos)(?: \\w+){0,5} em paz|(?:nao quero|nunca)(?: \\w+){0,5} (?:saber|ouvir)(?: \\w+){0,2} (?:de voces|de vos|vossas?)|esque(?:cam|ca|ce|camse)(?: \\w+){0,4} numero",
    not: "nenhum\\w*|nao|nem|ninguem",
    again: "mais|de novo|no futuro|volt\\w+|outra vez|daqui em diante",
    unsubscribe: "descadastr|cancelar (?:a )?(?:minha )?(?:inscricao|subscricao)|desinscrev|nao me perturbe",
  },
  sv: {
    contact:
      "sla(?:r)?(?: \\w+){0,2} (?:det har numret|mitt nummer|numret)|stor(?:a|d|t|as)?(?![a-z])|ringand|ring(?:er|a|t|de)?|samtal|sms|meddeland|kontakt|mejl|hor(?:a)? av|skriv|utskick|reklam",
    stop: "undanber|slipp|avsta|lata? bli|lagg ner|avboj|vagra|bespara|aldrig mer|aldrig igen|inte (?:mer|fler|langre)|vill inte (?:ha|bli)|lamna mig|sluta|upphor|lagg av|inga fler|stoppa",
    remove: "forsvinn|ta bort|radera|stryk|plocka bort|avregistrer|ta mig ur",
    data: "list|register|uppgift|nummer|databas|utskick|system",
    whose: "mitt|mina|min|vara|vart|ert|era|er|mig|oss|detta",
    legal: "advokat|polis|anmal|gdpr|konsument|nix|block|jurist|imy|datainspektion",
    bother:
      "jobbigt|hela tiden|varje (?:dag|vecka)|trott pa|trott|less|stor(?:ande|s)?|igen ni|nu igen|ringer ni igen|for ofta|tjat|irriter|nog nu|sjunde gangen",
    forbid:
      "aldrig (?:\\w+ )?(?:gett|gav|sagt ja|godkant|samtyckt|bett om)|forbjud|aterkallar|samtycker inte|inget samtycke|drar tillbaka",
    last: "(?:det har|detta|det|nu)(?: \\w+)? (?:ar|var|blir)(?: \\w+)? (?:sista (?:gangen|samtalet)|det sista samtalet)",
    end: "ska det vara slut|(?:vill|onskar|kraver)(?: \\w+)? att (?:\\w+ ){0,4}(?:tar slut|upphor|slutar|ska ta slut|ska sluta)|(?:maste|far) (?:\\w+ ){0,2}(?:sluta|ta slut|vara nog)",
    leave:
      "(?:inget|inte)(?: \\w+){0,2} (?:mer )?med er att gora|lamna (?:mig|oss)(?: \\w+){0,5} i fred|lamna (?:det har numret|min \\w+)(?: \\w+){0,3} i fred|av er(?: \\w+){0,3} (?:aldrig|inget)(?: \\w+){0,3} hora|(?:lat|lata) (?:mig|oss) vara|(?:aldrig|inte)(?: \\w+){0,5} hora (?:mer )?(?:av|fran) (?:er|dig)|glom(?: \\w+){0,4} (?:nummer|numret)",
    not: "inte|inga|ingen|ej|varken|aldrig",
    again: "igen|mer|langre|i framtiden|fler|hadanefter",
    unsubscribe: "avregistrer|avprenumerer|avanmal|avsluta prenumeration",
  },
  da: {
    contact: "ring(?:er|e|et)?|opkald|sms|besked|kontakt|mail|skriv|reklame",
    stop: "aldrig (?:mere|igen)|ikke (?:mere|flere|laengere)|vil ikke (?:have|ringes|kontaktes)|lad mig|stop med|hold op|lad vaere|ikke flere|stop beskeder|stop opkald",
    remove: "forsvind|tag (?:mig|os) (?:af|ud)|slet|fjern|stryg|tag mig",
    data: "liste|register|oplysninger|nummer|database|system|kartotek",
    whose: "mit|mine|min|vores|jeres|mig|os|dette",
    legal: "advokat|politi|anmeld|gdpr|klag|forbrugerombud|robinson|bloker",
    bother:
      "hele tiden|hver (?:dag|uge)|traet af|irriter|generer|forstyr|nu igen|for ofta|for tit|nok nu|altid ringer|igen igen",
    forbid:
      "aldrig (?:\\w+ )?(?:givet|gav|sagt ja|bedt om)|forbyder|traekker (?:mit )?samtykke|giver ikke samtykke|frabeder",
    last: "(?:det her|dette|det)(?: \\w+)? (?:er|var|bliver)(?: \\w+)? (?:sidste (?:gang|opkald)|den sidste gang)",
    end: "skal det vaere slut|vil (?:gerne )?(?:have|onske),?(?: at)?,?(?: \\w+){0,4} (?:stopper|slutter|ophorer|holder op|slut)|(?:skal|ma) (?:\\w+ ){0,3}(?:stoppe|slutte|holde op)",
    leave:
      "(?:intet|ikke)(?: \\w+){0,2} med jer at gore|lad (?:mig|os)(?: \\w+){0,5} i fred|(?:aldrig|ikke)(?: \\w+){0,5} hore (?:mere )?fra (?:jer|dig)|glem(?: \\w+){0,4} nummer",
    not: "ikke|ingen",
    again: "igen|mere|laengere|fremover|i fremtiden|flere",
    unsubscribe: "afmeld|framelding|frameld|afmelde",
  },
  no: {
    contact: "ring(?:er|e|t)?|samtale|sms|melding|kontakt|epost|mail|skriv|reklame",
    stop: "aldri (?:mer|igjen)|ikke (?:mer|flere|lenger)|vil ikke (?:ha|bli)|la meg|stopp|slutt|hold opp|ikke flere|kutt ut",
    remove: "forsvinn|ta (?:meg|oss) (?:bort|ut|vekk)|slett|fjern|stryk|ta meg",
    data: "liste|register|opplysninger|nummer|database|system",
    whose: "mitt|mine|min|vare|deres|meg|oss|dette",
    legal: "advokat|politi|anmeld|gdpr|klag|forbruker|reserver|blokker|datatilsyn",
    bother: "hele tiden|hver (?:dag|uke)|lei av|irriter|plag|forstyrr|stott og stadig|na igjen|for ofte|nok na|mas",
    forbid:
      "aldri (?:\\w+ )?(?:gitt|ga|sagt ja|samtykket|bedt om)|forbyr|trekker (?:mitt )?samtykke|samtykker ikke|frabed",
    last: "(?:dette|det)(?: \\w+)? (?:er|var|blir)(?: \\w+)? siste (?:gang|gangen|samtalen?)",
    end: "skal det (?:vaere|bli) slutt|vil(?: \\w+)? at (?:\\w+ ){0,4}(?:slutter|tar slutt|ta slutt|stopper|opphorer)|(?:ma|skal) (?:\\w+ ){0,3}(?:slutte|ta slutt|stoppe)",
    leave:
      "(?:ingenting|ikke)(?: \\w+){0,2} med dere a gjore|la (?:meg|oss)(?: \\w+){0,5} i fred|(?:aldri|ikke)(?: \\w+){0,5} hore (?:mer )?fra (?:dere|deg)|glem(?: \\w+){0,4} nummer",
    not: "ikke|ingen",
    again: "igjen|mer|lenger|i fremtiden|fremover|flere",
    unsubscribe: "avmeld|meld meg av|reservasjonsregister",
  },
  pl: {
    contact: "zadzwon|przeszkadz|dzwon|wydzwania|telefon|wiadomosc|sms|kontakt|pisz|pisa|mail|reklam",
    stop: "wiecej (?:prosze )?(?:sie )?(?:ze mna )?(?:sie )?nie|nigdy wiecej|nie chce|nie zycze|prosze (?:wiecej|juz) nie|nie dzwo|nie pisz|dajcie|przestan|dosc (?:tych|juz|telefon|wiadom)|koniec z|skoncz",
    remove: "znik|usun|wykresl|skresl|wypis|skasuj",
    data: "danych|dane|baz|list|numer|system|rejestr|kartotek",
    whose: "moj\\w*|mnie|nas\\w*|wasz\\w*|panstwa|ten",
    legal: "adwokat|prawnik|policj|rodo|uodo|uke|uokik|skarg|pozw|blokuj|prokuratur|zglosz",
    bother:
      "ciagle|codziennie|co (?:dzien|tydzien)|znowu|za czesto|mam dosc|nekan|nekaj|denerw|meczy|przeszkadza|bez przerwy|wkurza",
    forbid:
      "nie wyraz\\w* (?:\\w+ )?zgody|nigdy nie (?:zgadz|wyraz|zgodz)|zabraniam|zakazuj|cofam zgod|wycofuj|nie wyrazam zgody|sprzeciw",
    last: "(?:to|niech to)(?: \\w+){0,2} ostatni[ae]? (?:raz|telefon|rozmowa|polaczenie)|ostatni raz(?:,? \\w+){0,4} (?:przeszkadz|dzwon|nekaj)",
    end: "(?:to|niech) ma sie skonczyc|(?:chce|zycze sobie|zadam),? (?:zeby|aby|by) (?:\\w+ ){0,4}(?:skoncz|usta|przesta)|(?:musi|maja) (?:sie )?(?:to )?(?:skonczyc|ustac)",
    leave:
      "nic (?:wspolnego|do czynienia) z (?:wami|panstw)|(?:dajcie|daj|prosze dac)(?: \\w+){0,5} spokoj|(?:nie chce|nigdy)(?: \\w+){0,5} (?:o was|od was|o panstwu|od panstwa)(?: \\w+){0,5} (?:slyszec|uslyszec)|(?:nie chce|nigdy)(?: \\w+){0,5} (?:slyszec|uslyszec)(?: \\w+){0,2} (?:o|od) (?:was|panstw)|zapomn(?:iec|ij|ijcie|iec o|ijcie o)(?: \\w+){0,3} numer",
    not: "nie|zadn\\w*|nikt",
    again: "wiecej|juz|ponownie|w przyszlosci|znowu|dalsz\\w*",
    unsubscribe: "wypisz|wypisac|wyrejestr|rezygnuje z",
  },
  fi: {
    contact: "hairit|soit|puhel|viest|tekstari|yhtey|kirjoit|sahkopost|mainos",
    stop: "ei koskaan|en halua|alkaa (?:enaa|soit|laitt|laheta)|jattakaa|lopett|lopeta|riittaa jo|ei enaa (?:puheluita|viesteja|soittoja)",
    remove: "katoa|havi|ottakaa|ota pois|poist|pyyh|havit",
    data: "lista|listalta|rekister|tiedot|tieton|numero|jarjestelm|tietokan",
    whose: "minu\\w*|mei\\w*|numeroni|tietoni|teidan|taman",
    legal: "asianaj|poliisi|tietosuoja|valitus|kuluttaja|ilmian|esto|lakimie|gdpr",
    bother: "koko ajan|joka (?:paiva|viikko)|taas te|kyllast|hairit|arsytt|liian usein|jatkuvasti|hairio",
    forbid: "en ole (?:\\w+ )?antanut|kiell|peruutan suostumu|en suostu|vastustan",
    last: "(?:tama|se|tamaan)(?: \\w+)? (?:oli|on|olkoon|saa olla) viimeinen (?:kerta|soitto|puhelu)",
    end: "on (?:loputtava|lopetettava)|(?:haluan|toivon|vaadin),? etta (?:\\w+ ){0,4}(?:loppu|lakka|paatty)|(?:saa|saavat|pitaa|taytyy) (?:\\w+ ){0,2}(?:loppua|riittaa)",
    leave:
      "tekemista teidan kanssanne|jat(?:takaa|a) (?:minut|meidat)(?: \\w+){0,5} rauhaan|(?:en halua|alkoon|ala|alkaa)(?: \\w+){0,5} (?:kuulla|kuulu\\w*) teista|teista(?: \\w+){0,5} (?:kuulla|kuulu)|unoh(?:takaa|da|dettakoon)(?: \\w+){0,3} numer",
    not: "en|ei|alkaa|ala|alkoon|ettei",
    again: "enaa|uudelleen|jatkossa|vastedes|tulevaisuudessa",
    unsubscribe: "peruuta tilaus|poistu listalta|robinson",
  },
  tr: {
    contact: "ara(?:ma|yis|yin|yip|malar|niz|maniz|r)|telefon|mesaj|sms|iletisim|yaz(?:ma|in)|reklam",
    stop: "bir daha|asla|artik (?:ara|mesaj|istem)|istemiyorum|rahat birak|birak|kesin|son verin|yeter artik|artik yeter|durdur",
    remove: "sil(?:in|iniz)?|cikar|kaldir",
    data: "liste|kayit|kayd|veri|numara|sistem|rehber",
    whose: "benim|beni|numarami|verilerimi|bilgilerimi|sizin|bizi|bu",
    legal: "avukat|polis|sikayet|kvkk|dava|mahkeme|savcilik|engelle|btk|tuketici",
    bother: "surekli|her gun|her hafta|bikt|rahatsiz|yine mi|cok sik|usand|yeter",
    forbid: "izin vermedim|onay vermedim|yasak|izin vermiyorum|onayimi geri|riza vermiyorum|istemiyorum",
    last: "(?:bu|bu beni|beni)(?: \\w+){0,2} son (?:aray|defa|kez|sefer|olsun)|son (?:defa|kez) ara",
    end: "(?:bitsin|son bulsun|kesilsin|bitmesini istiyorum|durmasini istiyorum)",
    leave:
      "(?:beni|bizi)(?: \\w+){0,5} rahat birak|sizden(?: \\w+){0,5} (?:duymak|haber almak) istemiyorum|numaram\\w*(?: \\w+){0,2} unut(?:un|unuz)?(?![a-z])|unutun(?: \\w+){0,2} numara",
    not: "\\w+m[ae]yin\\w*|istemiyor\\w*|hic",
    again: "bir daha|artik|tekrar",
    unsubscribe: "abonelik iptal|listeden cik|ret",
  },
  cs: {
    contact: "zavola|hovor|vola|volejte|volat|telefon|zprav|sms|kontakt|piste|psat|mail|reklam",
    stop: "nikdy|nechci|nepreji|uz ne|prestante|prestan|dost|uz ne|konec s|nechte toho|nechte me",
    remove: "zmiz|smaz|vymaz|odstran|vyskrtn|vyrad",
    data: "seznam|databaz|udaj|cislo|system|evidenc|rejstrik",
    whose: "moj\\w*|me|mne|mi|nas\\w*|vas\\w*|toto|muj",
    legal: "pravnik|advokat|polici|stiznost|gdpr|uoou|soud|zaluj|blokuj",
    bother: "porad|kazdy (?:den|tyden)|zase|mam dost|otravuj|obtezuj|neustale|prilis casto|vadi|stve",
    forbid: "nikdy jsem (?:\\w+ )?(?:nedal|nesouhlasil|nepovolil)|zakazuj|odvolavam souhlas|nesouhlasim|zadny souhlas",
    last: "(?:tohle|toto|to)(?: \\w+)? (?:bylo|je|bude|at je)(?: \\w+)? (?:naposled|posledni)",
    end: "(?:chci|preji si|zadam),? (?:aby|at) (?:\\w+ ){0,4}(?:skonc|presta)|(?:musi|at) (?:to )?(?:skoncit|prestat)",
    leave:
      "(?:dejte|dej|nechte) (?:mi|me|nam|nas)(?: \\w+){0,5} (?:pokoj|na pokoji|byt)|nechci(?: \\w+){0,5} (?:o vas|od vas)(?: \\w+){0,5} sly|zapomen(?:te|ete|ou)?(?: \\w+){0,3} cislo",
    not: "ne\\w+|zadn\\w*|nikdo",
    again: "uz|vice|znovu|v budoucnu|priste",
    unsubscribe: "odhlas|odregistr|vypis",
  },
};
