import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toNumbers, wholeWords } from "#src/engine/models/scripted/words.ts";

/** French. */
export const FR: Lexicon = {
  code: "fr",
  phrases: {
    opening: "Bonjour, {self}",
    selfWithCompany: "ici l'assistant automatique de {company}.",
    self: "ici un assistant automatique.",
    topic: "L'appel concerne : {topic}.",
    acknowledgements: ["Merci.", "C'est noté.", "Très bien."],
    corrected: "Merci, je l'ai modifié.",
    notUnderstood: "Pardon, je n'ai pas compris.",
    yesOrNo: "Oui ou non : {label} ?",
    tellMe: "Pouvez-vous me dire : {label} ?",
    whichOf: "Laquelle de ces réponses : {choices} ?",
    or: " ou ",
    asDate: ", sous forme de date",
    asTime: ", à quelle heure",
    asNumber: ", en nombre de",
    asEmail: ", votre adresse e-mail",
    fromTo: ", de {from} à {to}",
    source: "Je ne vois pas d'où vient votre numéro, mais mes collègues peuvent vous le dire.",
    oneLeft: "Il ne reste qu'une question.",
    someLeft: "Il ne reste que {count} questions.",
    cannotAnswer: "Je suis désolé, je ne peux pas répondre à cela.",
    takeYourTime: "Bien sûr, prenez votre temps.",
    wrongPerson: "Veuillez excuser cette erreur. Au revoir.",
    callback: "Bien sûr. Je transmets quand vous souhaitez être appelé. Au revoir.",
    human:
      "Je comprends. Je transmets à mes collègues que vous souhaitez parler à une personne, et ils vous rappelleront. Au revoir.",
    humanAsked:
      "Bien sûr. J'ai demandé à un collègue de reprendre cette discussion. Il vous répondra ici dès que quelqu'un sera libre.",
    transfer: "Bien sûr, je vous passe un collègue.",
    transferFailed: "Je suis désolé, je ne trouve personne pour le moment. Je le transmets à mes collègues. Au revoir.",
    optOut: "Bien sûr.",
    optedOut: "Votre numéro est maintenant sur notre liste d'opposition. Au revoir.",
    optOutNoted: "Je transmets que vous ne souhaitez plus être appelé. Au revoir.",
    declined: "Je comprends. Merci de votre temps. Au revoir.",
    goodbye: "C'est tout. Merci de votre temps et au revoir.",
    chatAnswer: "Merci, je l'ai noté. Souhaitez-vous ajouter autre chose ?",
    chatGoodbye: "Merci de votre temps et au revoir.",
    offerCallback: "Je suis désolé, je ne le sais pas. Souhaitez-vous qu'un collègue vous rappelle à ce sujet ?",
    questionNoted: "Je ne le sais pas, mais je transmets votre question à mes collègues.",
    anythingElse: "Puis-je encore faire quelque chose pour vous ?",
    callbackWhen: "Quel jour et à quelle heure devons-nous vous appeler ?",
    callbackSet: "Très bien, nous vous appellerons à ce moment-là.",
    callbackFailed:
      "Je suis désolé, ce n'est pas possible à ce moment-là. Je transmets quand vous souhaitez être appelé.",
    callbackNoted: "Je le transmets.",
    toolFailed: "Je suis désolé, cela n'a pas marché. Je le transmets à mes collègues.",
    toolStarted: "Je vous le dirai dès que j'en saurai plus.",
    isThatRight: "Juste pour être sûr : ai-je bien compris ?",
    readBack: "Je récapitule : {values}. Est-ce exact ?",
    whatIsWrong: "Je suis désolé. Que dois-je changer ?",
    yesWord: "oui",
    noWord: "non",
    andTime: "Et à quelle heure ?",
    andDay: "Et quel jour ?",
    goodbyeWord: "Au revoir.",
  },
  commonWords: "non le la les un une de en du par pour je me ce ne pas que qui on à et est au mon il elle plaît",
  tellingWords:
    "oui bonjour allô vous votre êtes merci avez quel quelle c'est j'ai je n'ai d'accord suis voudrais peux pouvez bien rappelez demain maintenant tout cela s'il m'appelle numéro préfère pardon personne êtes mais désolé sûr",
  intents: {
    WRONG_PERSON: wholeWords(
      "(?:mauvais|faux) numéro|erreur de numéro|(?:pas|n'ayez pas|n'avez pas) la bonne personne|(?:trompez|trompé) de (?:numéro|personne)|mauvaise personne|il n'y a pas de .{1,30} ici|personne de ce nom|ce n'est pas moi",
    ),
    ROBOT: wholeWords(
      "(?:êtes-vous|vous êtes|c'est|est-ce|je parle à) (?:un |une )(?:robot|machine|ordinateur|humain|vraie personne|enregistrement)",
    ),
    HUMAN: wholeWords(
      "parler (?:à|avec) (?:un |une |quelqu')?(?:vrai[e]? )?(?:être humain|humain|personne|conseill[eè]re?|opérateur|opératrice|un|agent|responsable)|(?:veux|voudrais|passez-moi) (?:un |une )(?:vrai[e]? )?(?:humain|personne|conseiller|opérateur)|être humain",
    ),
    SCREENING: wholeWords(
      "filtre (?:ses|vos|les) appels|(?:dites|donnez|indiquez) votre nom et|(?:la )?raison de (?:votre|l')appel|le motif de votre appel",
    ),
    CALLBACK: wholeWords(
      "rappelez(?:-moi| moi)?|(?:me )?rappeler (?:plus tard|demain)|appelez-moi (?:plus tard|demain|à|le)|(?:pouvez|pourriez)-vous (?:me )?(?:r(?:e|a))?ppeler|(?:me )?rappeler (?:ce|cet|dans|en|vers|à|lundi|mardi|mercredi|jeudi|vendredi|samedi)|plus tard|pas le (?:bon )?moment|vous tombez mal|(?:ne )?peux pas parler|je suis (?:occupée?|au volant|en réunion|au travail)|mauvais moment",
    ),
    WHO: wholeWords(
      "qui (?:est-ce|êtes-vous|est à l'appareil|appelle|parle)|à qui (?:ai-je|je parle|parle-je)|c'est qui|vous êtes qui|quel est votre nom|quelle (?:société|entreprise)|de quelle part|c'est une (?:arnaque|blague)",
    ),
    WHY: wholeWords(
      "pourquoi (?:m'appelez|vous (?:m')?appelez|appelez)(?:-vous)?|c'est (?:à quel sujet|pour quoi)|de quoi s'agit|à quel sujet|que voulez-vous|qu'est-ce que vous voulez|quel est le (?:motif|but)",
    ),
    SOURCE: wholeWords(
      "(?:tenez-vous|avez-vous (?:eu|trouvé|obtenu)|avez eu) mon numéro|d'où (?:tenez|vient).{0,20}mon numéro",
    ),
    HOW_LONG: wholeWords("combien de temps|combien de questions|c'est long|ça va durer"),
    HOLD: wholeWords(
      "un (?:instant|moment|petit instant)(?:,? s'il vous plaît)?|une (?:seconde|minute)|patientez|ne quittez pas|restez en ligne(?:,? s'il vous plaît)?|merci d'avoir patienté|je dois vérifier|attendez|laissez-moi (?:voir|vérifier)",
    ),
    REPEAT: wholeWords(
      "répéter|répétez|redire|redites|(?:pas|mal) (?:compris|entendu|entends)|plus fort|plus lentement|moins vite",
    ),
    GO_ON: wholeWords("continuez|allez-y|poursuivez"),
    DONT_KNOW: wholeWords(
      "(?:je )?(?:ne )?sais pas|aucune idée|pas (?:sûre?|certaine?)|préfère ne pas|(?:ne )?(?:veux|souhaite) pas (?:le )?(?:dire|répondre|donner)|question suivante|(?:ne )?(?:me )?souviens pas|ça ne vous regarde pas|passer|(?:je )?(?:ne )?(?:l'ai|les ai) pas (?:sous la main|sur moi|ici|là)|sans objet|pas concernée?|c'est (?:privé|personnel)|je (?:le )?garde pour moi|joker",
    ),
    NOT_INTERESTED: wholeWords(
      "pas intéressée?|(?:ne )?m'intéresse pas|laissez-moi tranquille|besoin de rien|(?:ne )?(?:réponds|participe) pas (?:aux?|à)|pas de (?:sondages?|enquêtes?)|pas le temps pour",
    ),
    GOODBYE: wholeWords("au revoir|bonne journée|salut|(?:dois|faut que) (?:y aller|je raccroche|raccrocher)"),
  },
  yes: wholeWords(
    "oui|ouais|si|bien sûr|certainement|absolument|tout à fait|exact|exactement|correct|d'accord|ok|okay|parfait|volontiers|avec plaisir|ça marche|(?:cela|ça) me (?:convient|va)|c'est bon|c'est ça|pas de (?:problème|souci)|aucun problème|pourquoi pas|je (?:pense|crois) que oui|effectivement|entendu|très bien",
  ),
  weakYes: wholeWords("bien|je peux|je viens|je viendrai|je serai|je veux|j'accepte|je confirme|convient"),
  no: wholeWords(
    "non|pas|jamais|nullement|aucunement|annuler|bien sûr que non|pas du tout|pas vraiment|malheureusement|hélas|je (?:pense|crois) que non|(?:cela|ça) ne me (?:convient|va) pas|pas d'accord|impossible",
  ),
  explicitCorrection: wholeWords(
    "je voulais dire|je veux dire|j'ai dit|je me suis trompée?|c'est faux|ce n'est pas ça|correction|je corrige|changez(?:-le)?(?: en| pour| à)?",
  ),
  weakCorrection: wholeWords("en fait|attendez|pardon|plutôt|enfin|non"),
  quantities: [
    [wholeWords("une demi-douzaine"), 6],
    [wholeWords("une douzaine"), 12],
    [wholeWords("(?:juste|seulement|que) moi|(?:tout )?seule?|personne d'autre que moi"), 1],
    [wholeWords("(?:ma|mon) \\p{L}{1,30} et moi|moi et (?:ma|mon) \\p{L}{1,30}|tous les deux|nous deux"), 2],
  ],
  mePlus: wholeWords("moi (?:et|plus|avec) (\\p{L}{1,20}) (?:autres|enfants|amis|personnes)"),
  cents: wholeWords("(?:et )?(\\S{1,30}) centimes?"),
  twice: ["double"],
  thrice: ["triple"],
  phoneWords: { plus: "+" },
  weekLater: wholeWords("\\p{L}{1,30}di en huit"),
  nextWeek: wholeWords("(?:la )?semaine prochaine"),
  places: { premier: 1, deuxième: 2, troisième: 3, quatrième: 4, cinquième: 5 },
  lastOne: wholeWords("dernier"),
  holidays: [
    [wholeWords("(?:veille|réveillon) de noël"), "12-24"],
    [wholeWords("noël"), "12-25"],
    [wholeWords("saint-sylvestre|réveillon du nouvel an"), "12-31"],
    [wholeWords("(?:jour de l'an|nouvel an)"), "01-01"],
  ],
  evening: wholeWords("soir"),
  nothing:
    /^(?:(?:aucune? (?:de (?:ceux|celles)-là|d'eux|des (?:deux|trois))|rien de tout (?:ça|cela)|non|rien|aucune?|rien ne me vient(?: à l'esprit)?|je ne vois pas|merci|non merci|c'est tout|rien (?:d'autre|de plus|de spécial)|pas que je sache|tout va bien|je n'ai rien à ajouter|pas vraiment|ça ira|je crois)(?:[\s,.!;-]+|$))+$/i,
  negators: wholeWords("pas|non|jamais|aucune?"),
  denials: /(?:pas|aucune?)$/,
  butRather: wholeWords("mais|plutôt"),
  all: wholeWords("tou(?:te)?s|tout"),
  except: wholeWords("tou(?:t|te|s|tes) sauf|sauf|sans|à part"),
  questionStart: wholeWords(
    "(?:que|où|quand|qui|pourquoi|comment|combien|quel(?:le)?s?|qu'est-ce|à quelle heure|est-ce) \\S{1,30}|(?:avez|êtes|pouvez|faites|acceptez|savez)-vous|y a-t-il|puis-je|faut-il|je (?:voulais|voudrais|aimerais) savoir",
  ),
  questionLead:
    /^(?:(?:et|mais|bon|alors|ok|d'accord|pardon|ah|euh|au fait|une question|avant (?:de répondre|cela|ça)|dites-moi)[,:.]?\s+)+/i,
  proposal: wholeWords(
    "et si|que diriez-vous|(?:est-ce que )?(?:je peux|on peut)|peut-on|puis-je|ça irait|est-ce possible|avez-vous|prenez-vous",
  ),
  anyTime: wholeWords("n'importe quand|quand vous voulez|peu importe|ça m'est égal"),
  later: wholeWords("plus tard"),
  tomorrow: "demain",
  speaks: wholeWords("parlez|parler|parle|comprends|en"),
  amBack: /^(?:(?:voilà,? )?(?:je suis de retour|me revoilà|me voilà))[.! ]*$/i,
  stillThere: wholeWords("toujours là"),
  hereIAm:
    /^(?:oui|allô|bonjour|je suis (?:toujours )?là|oui,? (?:je suis (?:toujours )?là|allô|bonjour|toujours))[ .!?]*$/i,
  asksIdentity: wholeWords("je parle à|je parle avec|parle bien à|êtes-vous|est-ce que je parle|suis-je"),
  asksForTime: wholeWords("bon moment|un instant|un moment|une minute|minutes|le temps"),
  leadIn:
    /^(?:(?:alors|euh|oui|bon|ben|et)[,.]?\s+)*(?:je m'appelle|mon (?:nom|e-?mail|numéro|adresse)(?: e-?mail)? est(?: le)?|ma réponse est|je suis|c'est(?: le)?|ce serait|je dirais|je pense que)\s+/i,
  numbers: toNumbers(
    "zéro=0 aucun=0 aucune=0 un=1 une=1 deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 neuf=9 dix=10 " +
      "onze=11 douze=12 treize=13 quatorze=14 quinze=15 seize=16 vingt=20 vingts=20 trente=30 quarante=40 " +
      "cinquante=50 soixante=60 septante=70 huitante=80 nonante=90 cent=100 cents=100 mille=1000",
  ),
  numberJoiners: ["et"],
  compoundNumbers: false,
  unitsBeforeTens: false,
  decimalWords: ["virgule", "point"],
  half: wholeWords("et demie?"),
  minus: wholeWords("moins"),
  thousandsSeparator: " ",
  weekdays: "dimanche lundi mardi mercredi jeudi vendredi samedi".split(" ").map((day) => wholeWords(`${day}s?`)),
  months: "janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre"
    .split(" ")
    .map((month) => wholeWords(month)),
  relativeDays: [
    [wholeWords("après-demain"), 2],
    [wholeWords("demain"), 1],
    [wholeWords("aujourd'hui|ce soir|cet après-midi"), 0],
    [wholeWords("avant-hier"), -2],
    [wholeWords("hier"), -1],
  ],
  inDays: wholeWords("dans ([^\\s-]{1,30}) jours?"),
  inWeeks: wholeWords("dans ([^\\s-]{1,30}) semaines?"),
  dateFillers: ["de", "du", "le", "au"],
  dayOfMonth: "(?:le|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) {d}",
  ordinals: { premier: 1, "1er": 1 },
  clock: [
    ["{h} heures? et demie?", 30],
    ["{h} heures? et quart", 15],
    ["{h} heures? moins le quart", -15],
    ["{h} heures? moins {m}", -1],
    ["{h} heures? {m}", 1],
    ["{h} heures? trente", 30],
    ["{h} (?:heures?|h)", 0],
    ["(?:à|vers) {h}", 0],
  ],
  noon: wholeWords("midi"),
  midnight: wholeWords("minuit"),
  morning: wholeWords("matin|petit[ -]déjeuner"),
  afternoon: wholeWords("après-midi|soir"),
  emailAt: wholeWords("arobase|at"),
  emailDot: wholeWords("point"),
  and: wholeWords("et"),
  company:
    /(?:[Aa]ssistante?|[Aa]gent|[Cc]onseill[eè]re?)(?: \p{Ll}+)? (?:de|du|pour|chez) (?:la |le )?([\p{Lu}\p{N}][^.,;:\n]{1,60})/u,
};
