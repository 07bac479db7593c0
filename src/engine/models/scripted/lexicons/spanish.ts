import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toNumbers, wholeWords } from "#src/engine/models/scripted/words.ts";

/** Spanish. */
export const ES: Lexicon = {
  code: "es",
  phrases: {
    opening: "Hola, {self}",
    selfWithCompany: "soy el asistente automático de {company}.",
    self: "soy un asistente automático.",
    topic: "La llamada es sobre: {topic}.",
    acknowledgements: ["Gracias.", "Entendido.", "Muy bien."],
    corrected: "Gracias, lo he cambiado.",
    notUnderstood: "Perdone, no le he entendido.",
    yesOrNo: "Sí o no: ¿{label}?",
    tellMe: "¿Puede decirme {label}?",
    whichOf: "¿Cuál de estas opciones: {choices}?",
    or: " o ",
    asDate: ", como fecha",
    asTime: ", a qué hora",
    asNumber: ", como número",
    asEmail: ", como correo electrónico",
    fromTo: ", de {from} a {to}",
    source: "No puedo ver de dónde viene su número, pero mis compañeros se lo pueden decir.",
    oneLeft: "Solo queda una pregunta.",
    someLeft: "Solo quedan {count} preguntas.",
    cannotAnswer: "Lo siento, eso no lo puedo contestar.",
    takeYourTime: "Por supuesto, tómese su tiempo.",
    wrongPerson: "Disculpe el error. Adiós.",
    callback: "Por supuesto. Comunicaré cuándo quiere que le llamen. Adiós.",
    human: "Entiendo. Comunicaré a mis compañeros que desea hablar con una persona, y le devolverán la llamada. Adiós.",
    humanAsked:
      "Por supuesto. He pedido a un compañero que siga con este chat. Le responderá aquí en cuanto alguien esté libre.",
    transfer: "Por supuesto, le paso con un compañero.",
    transferFailed: "Lo siento, ahora no encuentro a nadie. Se lo comunicaré a mis compañeros. Adiós.",
    optOut: "Por supuesto.",
    optedOut: "Su número ya está en nuestra lista de no llamar. Adiós.",
    optOutNoted: "Comunicaré que no desea recibir más llamadas. Adiós.",
    declined: "Entiendo. Gracias por su tiempo. Adiós.",
    goodbye: "Eso era todo. Gracias por su tiempo y adiós.",
    chatAnswer: "Gracias, lo he anotado. ¿Desea decir algo más?",
    chatGoodbye: "Gracias por su tiempo y adiós.",
    offerCallback: "Lo siento, eso no lo sé. ¿Quiere que un compañero le llame para contárselo?",
    questionNoted: "Eso no lo sé, pero pasaré su pregunta a mis compañeros.",
    anythingElse: "¿Puedo ayudarle en algo más?",
    callbackWhen: "¿Qué día y a qué hora quiere que le llamemos?",
    callbackSet: "Muy bien, le llamaremos entonces.",
    callbackFailed: "Lo siento, a esa hora no es posible. Comunicaré cuándo quiere que le llamen.",
    callbackNoted: "Lo comunicaré.",
    toolFailed: "Lo siento, eso no ha funcionado. Se lo comunicaré a mis compañeros.",
    toolStarted: "Se lo diré en cuanto sepa más.",
    isThatRight: "Solo para asegurarme: ¿lo he entendido bien?",
    readBack: "Lo repito: {values}. ¿Es correcto?",
    whatIsWrong: "Lo siento. ¿Qué debo cambiar?",
    yesWord: "sí",
    noWord: "no",
    andTime: "¿Y a qué hora?",
    andDay: "¿Y qué día?",
    goodbyeWord: "Adiós.",
  },
  commonWords: "no el la los las es un una de en con por para le se que su del al lo me mi a y favor",
  tellingWords:
    "sí hola gracias diga dígame usted está qué quién cómo cuándo cuánto dónde buenos buenas días mañana quiero quisiera puedo soy llamo muy bien pero ahora acuerdo claro perdone perdón vale adiós prefiero correo número equivocado",
  intents: {
    WRONG_PERSON: wholeWords(
      "(?:se )?(?:equivoca|ha equivocado|equivocado|equivocada) de (?:persona|número)|número equivocado|persona equivocada|se ha equivocado|aquí no (?:hay|vive) (?:nadie|ningún|ninguna)?|no soy (?:él|ella|esa persona)",
    ),
    ROBOT: wholeWords(
      "(?:es usted|eres|es|hablo con|estoy hablando con) (?:un |una )(?:robot|máquina|ordenador|humano|persona real|persona|grabación)",
    ),
    HUMAN: wholeWords(
      "(?:hablar|comunicarme) con (?:una?|alguna?|algún|el|la)? ?(?:persona|humano|alguien|agente|operador|operadora|representante|responsable)|(?:páseme|quiero|quisiera|necesito) (?:con |a )?(?:una? )?(?:persona|humano|agente|operador|operadora)|persona real|ser humano",
    ),
    SCREENING: wholeWords(
      "filtra sus llamadas|diga su nombre y|(?:el )?motivo de (?:su|la) llamada|indique (?:quién|su nombre)",
    ),
    CALLBACK: wholeWords(
      "(?:llámeme|llámame|llamarme|me llama|me llame)(?: más tarde| luego| mañana| otro| en| el| a)|vuelva a llamar(?:me)?|(?:puede|podría|pueden) (?:llamar(?:me)?|marcar(?:me)?)(?: \\p{L}+)? (?:más tarde|luego|mañana|después|otro|en|el|a|por)|me (?:agarra|pilla|coge) (?:en mal momento|mal|ocupad[oa]|trabajando|manejando)|más tarde|no es (?:un )?buen momento|(?:ahora )?no puedo hablar|estoy (?:ocupado|ocupada|conduciendo|en una reunión|trabajando)|devuélvame la llamada",
    ),
    WHO: wholeWords(
      "(?:con )?quién (?:hablo|es|eres|llama|habla)|quién es usted|cómo se llama|de qué empresa|de dónde (?:llama|me llama)|es(?:to es)? una (?:estafa|broma)",
    ),
    WHY: wholeWords(
      "por qué (?:me )?(?:llama|llaman)|de qué se trata|para qué (?:es|llama|me llama)|qué (?:quiere|desea)|cuál es el motivo",
    ),
    SOURCE: wholeWords("(?:sacado|conseguido|obtenido|encontrado|tiene|tienen) mi número|mi número de dónde"),
    HOW_LONG: wholeWords("cuánto (?:va a )?(?:dura|durar|tarda|tardará|tiempo)|cuántas preguntas"),
    HOLD: wholeWords(
      "un (?:momento|momentito|segundo|minuto)(?:,? por favor)?|espere|no cuelgue(?:,? por favor)?|manténgase en línea|gracias por esperar|tengo que mirarlo|déjeme ver",
    ),
    REPEAT: wholeWords(
      "repita|repetir|repetirlo|repítalo|otra vez|cómo dice|cómo ha dicho|no (?:le |lo |la )?(?:he )?(?:entiendo|entendido|oigo|oído|escucho)|más alto|más despacio|más lento",
    ),
    GO_ON: wholeWords("siga|continúe|adelante|prosiga"),
    DONT_KNOW: wholeWords(
      "no (?:lo )?(?:sé|recuerdo)|ni idea|no estoy segur[oa]|no (?:lo )?tengo claro|prefiero no|no quiero (?:decir|contestar|dar)\\w*|no se lo (?:digo|puedo decir)|siguiente pregunta|no me acuerdo|no (?:lo|la) tengo (?:aquí|a mano|encima|a la mano)|no (?:le )?(?:incumbe|importa a usted)|no es asunto suyo|no aplica|eso es (?:privado|personal|cosa mía)|me lo reservo|paso",
    ),
    NOT_INTERESTED: wholeWords(
      "no me interesa|no estoy interesad[oa]|déjeme en paz|no necesito nada|no (?:hago|contesto|respondo|participo en) (?:encuestas|nada)|no (?:quiero|deseo) participar|no tengo tiempo para",
    ),
    GOODBYE: wholeWords("adiós|hasta luego|hasta pronto|tengo que (?:irme|colgar)|chao"),
  },
  yes: wholeWords(
    "sí|si|claro|por supuesto|desde luego|correcto|exacto|exactamente|vale|de acuerdo|está bien|me parece bien|perfecto|cómo no|sin problema|ningún problema|no hay problema|efectivamente|afirmativo|así es|creo que sí|con gusto|encantad[oa]|seguro",
  ),
  weakYes: wholeWords("bien|puedo|quiero|soy|estoy|tengo|iré|vendré|estaré|confirmo|acepto|bueno"),
  no: wholeWords(
    "no|nunca|jamás|tampoco|para nada|qué va|cancelar|anular|claro que no|por supuesto que no|desde luego que no|creo que no|negativo|imposible",
  ),
  explicitCorrection: wholeWords(
    "quería decir|quise decir|quiero decir|lo he dicho mal|me he equivocado|me equivoqué|corrección|(?:eso|esto) (?:está|es) mal|he dicho|cámbielo(?: a| por)?",
  ),
  weakCorrection: wholeWords("en realidad|espere|perdón|perdone|mejor|digo|no"),
  quantities: [
    [wholeWords("media docena"), 6],
    [wholeWords("(?:una )?docena"), 12],
    [wholeWords("(?:solo|sólo|solamente) yo|yo sol[oa]|nadie más que yo"), 1],
    [wholeWords("mi \\p{L}{1,30} y yo|yo y mi \\p{L}{1,30}|los dos|nosotros dos|un par"), 2],
  ],
  mePlus: wholeWords("yo (?:y|más|con) (\\p{L}{1,20}) (?:más|niños|amigos|personas)"),
  cents: wholeWords("(?:con )?(\\S{1,30}) (?:céntimos?|centavos?)|(?<=\\p{L} )con (\\S{1,30})"),
  twice: ["doble"],
  thrice: ["triple"],
  phoneWords: { más: "+" },
  weekLater: wholeWords("(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo) en una semana"),
  nextWeek: wholeWords("(?:la )?(?:próxima semana|semana que viene)|de la semana que viene"),
  places: { primer: 1, segundo: 2, tercer: 3, cuarto: 4, quinto: 5 },
  lastOne: wholeWords("último"),
  holidays: [
    [wholeWords("nochebuena"), "12-24"],
    [wholeWords("(?:día de )?navidad"), "12-25"],
    [wholeWords("nochevieja"), "12-31"],
    [wholeWords("año nuevo"), "01-01"],
  ],
  evening: wholeWords("noche"),
  nothing:
    /^(?:(?:ningun[oa] de (?:es[oa]s|est[oa]s|ell[oa]s)|no|nada|ningun[oa]|no se me ocurre nada|(?:ahora mismo )?nada (?:en especial|que añadir)|gracias|no gracias|eso es todo|nada más|que yo sepa|todo está bien|no tengo nada que añadir|la verdad es que no|de momento no|por ahora)(?:[\s,.!;-]+|$))+$/i,
  negators: wholeWords("no|nunca|ningún|ninguna|excepto|salvo|días? menos"),
  denials: /(?:no (?:soy|es)(?: la| el)?|ningun[oa]?|ningún)$/,
  butRather: wholeWords("sino|pero|mejor|prefiero"),
  all: wholeWords("tod[oa]s?"),
  except: wholeWords("tod[oa]s? (?:menos|excepto|salvo)|menos|excepto|salvo|sin"),
  questionStart: wholeWords(
    "(?:qué|dónde|cuándo|quién|por qué|cómo|cuál|cuáles|cuánt[oa]s?|a qué) \\p{L}{1,30}|quería saber|quisiera saber|me gustaría saber",
  ),
  questionLead:
    /^[¿¡]?(?:(?:y|pero|bueno|pues|vale|perdone|oiga|ah|por cierto|una pregunta|antes(?: de (?:contestar|eso))?|dígame)[,:.]?\s+)+[¿¡]?/i,
  proposal: wholeWords(
    "qué tal|sería posible|me (?:puede|podría)|podrían?|podríamos|pueden?|puede ser|puedo|podemos|le (?:va|viene) bien|tienen?|aceptan?",
  ),
  anyTime: wholeWords("cuando (?:quiera|quieran|sea)|da igual|me da lo mismo|cualquier (?:día|hora|momento)"),
  later: wholeWords("más tarde|luego"),
  tomorrow: "mañana",
  speaks: wholeWords("habla|hablar|hablo|entiendo|en"),
  amBack: /^(?:(?:vale,? )?ya (?:estoy(?: aquí)?|he vuelto)|he vuelto)[.! ]*$/i,
  stillThere: wholeWords("sigue ahí"),
  hereIAm: /^(?:sí|si|hola|aquí estoy|sigo aquí|sí,? (?:aquí estoy|sigo aquí|hola|dígame)|dígame)[.!?]*$/i,
  asksIdentity: wholeWords("hablo con|estoy hablando con|es usted|es el señor|es la señora"),
  asksForTime: wholeWords("buen momento|un momento|un minuto|minutos|tiempo para hablar"),
  leadIn:
    /^(?:(?:bueno|pues|sí|vale|y|eh)[,.]?\s+)*(?:me llamo|mi (?:nombre|correo|número|dirección|respuesta)(?: electrónico)? es|soy|es|sería|serían|diría|creo que)\s+/i,
  numbers: toNumbers(
    "cero=0 ninguno=0 ninguna=0 uno=1 una=1 un=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 " +
      "nueve=9 diez=10 once=11 doce=12 trece=13 catorce=14 quince=15 dieciséis=16 diecisiete=17 " +
      "dieciocho=18 diecinueve=19 veinte=20 veintiuno=21 veintiún=21 veintiuna=21 veintidós=22 " +
      "veintitrés=23 veinticuatro=24 veinticinco=25 veintiséis=26 veintisiete=27 veintiocho=28 " +
      "veintinueve=29 treinta=30 cuarenta=40 cincuenta=50 sesenta=60 setenta=70 ochenta=80 noventa=90 " +
      "cien=100 ciento=100 doscientos=200 doscientas=200 trescientos=300 trescientas=300 cuatrocientos=400 " +
      "cuatrocientas=400 quinientos=500 quinientas=500 seiscientos=600 seiscientas=600 setecientos=700 " +
      "setecientas=700 ochocientos=800 ochocientas=800 novecientos=900 novecientas=900 mil=1000",
  ),
  numberJoiners: ["y"],
  compoundNumbers: false,
  unitsBeforeTens: false,
  decimalWords: ["coma", "punto"],
  half: wholeWords("y medi[oa]"),
  minus: wholeWords("(?<!(?:o|al|lo|ni|de) )menos"),
  thousandsSeparator: ".",
  weekdays: ["domingos?", "lunes", "martes", "miércoles|miercoles", "jueves", "viernes", "sábados?|sabados?"].map(
    (day) => wholeWords(day),
  ),
  months: "enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre"
    .split(" ")
    .map((month) => wholeWords(month)),
  relativeDays: [
    [wholeWords("pasado mañana"), 2],
    [wholeWords("(?<!(?:de|por) la )mañana"), 1],
    [wholeWords("hoy|esta (?:tarde|noche)"), 0],
    [wholeWords("anteayer"), -2],
    [wholeWords("ayer|anoche"), -1],
  ],
  inDays: wholeWords("(?:en|dentro de) ([^\\s-]{1,30}(?: y [^\\s-]{1,30})?) días?"),
  inWeeks: wholeWords("(?:en|dentro de) ([^\\s-]{1,30}(?: y [^\\s-]{1,30})?) semanas?"),
  dateFillers: ["de", "del", "el", "día"],
  dayOfMonth: "(?:el|día|lunes|martes|miércoles|jueves|viernes|sábado|domingo) {d}",
  ordinals: { primero: 1 },
  clock: [
    ["{h} y media", 30],
    ["{h} y cuarto", 15],
    ["{h} menos cuarto", -15],
    ["(?:un )?cuarto para las? {h}", -15],
    ["{m} para las? {h}", -1],
    ["(?:a|sobre|hacia) las? {h} y {m}", 1],
    ["(?:a|sobre|hacia) las? {h} menos {m}", -1],
    ["(?:a|sobre|hacia) las? {h}", 0],
    ["las? {h} y {m}", 1],
    ["las? {h} menos {m}", -1],
    ["las? {h} (?:en punto|de la (?:mañana|tarde|noche))", 0],
    ["{h} (?:horas|en punto)", 0],
  ],
  noon: wholeWords("mediodía"),
  midnight: wholeWords("medianoche"),
  morning: wholeWords("(?:de|por) la mañana|desayun[oé]|a\\.m|am"),
  afternoon: wholeWords("tarde|noche|p\\.m|pm"),
  emailAt: wholeWords("arroba"),
  emailDot: wholeWords("punto"),
  and: wholeWords("y|e"),
  company:
    /\b(?:asistente|agente|recepcionista)(?: \p{Ll}+)? (?:de|del|para) (?:la |el )?([\p{Lu}\p{N}][^.,;:\n]{1,60})/u,
};
