import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const LLAMAR = "(?:llamar|molestar|escribir|contactar|telefonear|enviar|mandar|marcar|acosar|fastidiar)(?:me|nos)?";
const LLAME =
  "(?:llam(?:e|es|en|eis|ar(?:a|as|an)|as(?:e|es|en))|molest(?:e|es|en|eis|ar(?:a|as|an)|as(?:e|es|en))|escrib(?:a|as|an|ais|ier(?:a|as|an)|ies(?:e|es|en))|contact(?:e|es|en|eis|ar(?:a|as|an)|as(?:e|es|en))|telefone(?:e|en)|marqu(?:e|en|es)|envi(?:e|en|es)|mand(?:e|en|es)|acos(?:e|en))";
const COSAS = "(?:llamadas?|mensajes?|sms|correos?|publicidad|whatsapps?|contacto|comunicaciones)";
const MI = "(?:mi (?:numero|telefono|nombre)(?: de telefono)?|mis datos|este (?:numero|telefono)|nuestro numero)";
const LISTA = "(?:listas?|base de datos|sistema|registros?|fichero|archivos?|agenda|datos)";
const FIN = "(?= *(?:(?:por favor|gracias)? *(?:$|[.,!?])|y|o|ya|nunca|jamas))";

/** Spanish. */
export const ES: OptOutLanguage = {
  code: "es",
  cues: "llam mole escr cont tele envi mand marc acos fast corr publ what sms mens deje deja dejo par pare para paro cese no nunc ya quit borr elim saqu saca reti supr basta bast nad nadi revo anul canc darm darn denm deme dame dadm baja list alto hart cans sigu denu cuan como abog poli spam prot pesa stop opon olvi proh auto ulti acab term quie desa haga",
  plain: [
    `(?:dej(?:e|a|en|ad|ara|aran)|par(?:e|a|en|ad|ara|aran)|ces(?:e|en)|dejar|dejarais)(?: ya)?(?: por favor)? de (?:una vez de )?${LLAMAR}`,
    `(?:dejar|parar|cesar) de ${LLAMAR}`,
    `(?:no|ya no|nunca mas|no mas) (?:quiero|quisiera|queremos|deseo|deseamos)(?: \\w+){0,2} (?:que )?(?:me |nos )?(?:vuelv\\w+ a |sig\\w+ )?(?:${LLAME}|${LLAMAR}|llamando|contactando|escribiendo)`,
    `(?:no|ya no) (?:quiero|quisiera|queremos|deseo|necesito)(?: (?:recibir|mas|tener|sus|estas|esas|ninguna|ningun|otra|otras))* ${COSAS}`,
    "(?:no|ya no) (?:quiero|deseo|quisiera) (?:ser )?(?:contactad|llamad|molestad)[oa]",
    "(?:no|ya no) (?:quiero|quisiera|queremos|deseo) (?:volver a )?(?:saber|oir)(?: hablar)?(?: nada)?(?: mas)? de (?:ustedes|vosotros|usted|ti|su (?:empresa|compania))",
    "(?<!no )me opongo (?:a|al)(?: \\w+){0,8} (?:comercial\\w*|publici\\w*|marketing|llam\\w*|contact\\w*|prospeccion)",
    `(?:quit(?:e|a|en|ad|arme)|borr(?:e|a|en|ad|ar)|elimin(?:e|a|en|ad|ar)|saqu(?:e|en)|saca|sacar|retir(?:e|en)|suprim(?:a|an))(?:me|nos) (?:de|del)(?: \\w+){0,2} ${LISTA}(?! de espera)`,
    `(?:quit(?:e|a|en|ar)|borr(?:e|a|en|ar)|elimin(?:e|a|en|ar)|saqu(?:e|en)|sacar|retir(?:e|en)|suprim(?:a|an)) ${MI}`,
    "(?:dej(?:e|a|en|ad))(?:me|nos) (?:en paz|tranquil[oa]s?)",
    `(?:basta|no mas|ni una|ninguna|se acabaron las)(?: ya)?(?: de)?(?: (?:mas|tantas?|tantos?|las))? ${COSAS}`,
    "(?:retiro|revoco|anulo|cancelo)(?: \\w+)? (?:consentimiento|permiso|autorizacion)",
    "(?:darme|darnos|denme|deme|dame|dadme) de baja(?! (?:la|el|del|de la|en el))",
    "lista (?:robinson|de no llamar|de exclusion)",
    "(?:no pueden|no tienen (?:permiso|derecho|autorizacion)(?: de| para| a)?) (?:llamarme|llamar|contactarme|molestarme)",
    `(?:me|nos) (?:quit|borr|elimin|saqu|retir)en? (?:de|del)(?: \\w+){0,2} ${LISTA}(?! de espera)`,
    `prohib(?:o|imos) (?:que )?(?:me |nos )?(?:vuelv\\w+ a )?(?:${LLAMAR}|${LLAME})`,
    `(?:que )?(?:nadie|no)(?: me| nos)? (?:vuelv\\w+) a ${LLAMAR}`,
  ],
  forbidding: [
    `no (?:me |nos )?${LLAME}(?: (?:a este numero|aqui|a mi casa))?(?: (?:mas|nunca mas|nunca|jamas|otra vez|de nuevo|nuevamente))+`,
    `no (?:me|nos) ${LLAME}${FIN}`,
    `no (?:me |nos )?(?:manden|mande|envien|envie|escriban)(?: \\w+)? (?:mas )?${COSAS}`,
    "no se pong(?:a|an|ais)(?: (?:mas|nunca mas))? en contacto",
    `nunca mas (?:me |nos )?${LLAME}`,
    `no vuelv(?:a|as|an|ais) a ${LLAMAR}`,
    `no (?:llam|llamar|contact)\\w*(?: \\w+)? (?:mas|nunca mas)`,
  ],
  innocent: [
    "no mas (?:de|que)",
    "no (?:deje|dejen|dejes|dejeis|pare|paren)(?: de)?(?: \\w+)?",
    "(?:mi|su|la|el)(?: \\w+){1,2} (?:le |les )?(?:dijo|pidio|dice)(?: a[l]? (?:la |el )?\\w+)? que[^.!?]*",
    "no me llam(?:e|es|en) (?!mas|nadie|nunca|jamas|otra|de nuevo|a |por|antes|despues|hoy|al|en|el|ya|y|o|nuevamente|si|cuando|los|hasta)\\w+",
    "me llamo[^.,!?]*",
    "por que no[^.!?]*",
    "lista de (?:espera|invitados|la compra)",
    "no (?:quiero|quisiera) (?:llamar yo|molestar(?:le|les|lo|los)|perder\\w*)[^.!?]*",
    "de baja (?:la|el|en el|del|de la) (?:luz|agua|gas|telefono|internet|colegio|curso|gimnasio|seguro|plan|tarifa|contrato|club)[^.!?]*",
    "no se olvide[^.!?]*",
  ],
  keeps: [
    "no (?:quiero|deseo|quisiera|pretendo|digo|dije) que (?:me )?(?:dej|par|ces|borr|quit|elimin)\\w+(?: de)?(?: \\w+){0,2}",
    "(?<=^|[.,!?] |no )no (?:me )?(?:borr|quit|elimin)en?(?: \\w+){0,3}",
  ],
  limits:
    "antes|despues|hasta|por la (?:manana|tarde|noche)|hoy|manana|esta (?:semana|tarde|noche|manana)|el (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)|los (?:lunes|martes|miercoles|jueves|viernes|sabados|domingos|fines)|al (?:fijo|trabajo|movil|mediodia)|en (?:el|mi) trabajo|mientras|entre|si|cuando|tan (?:tarde|temprano)|a (?:las|la|estas horas)|durante|para (?:el|la)|sobre",
  instead:
    "(?:llame|llamen|llama|llamad)(?:me|nos) (?:al|a mi|mejor|manana|luego|el|por)|mejor (?:por|al|llame|escriba|manana)|ya (?:llamo|les llamo) yo|solo por|escriba(?:n)?me|pero si",
  bare: "stop|alto|basta|pare|paren|baja|parar|basta ya|para|no llamar|borrar|no llamar|no llam(?:e|en|es)|no escrib(?:a|an)|no molest(?:e|en)",
  polite: "por favor|si|ya|ok|vale|gracias|oiga|ahora|porfa",
  keywords: "alto baja parar cancelar detener",
  yes: "ya (?:se )?lo (?:he dicho|dije)|eso he dicho|si|claro|por favor|exacto|correcto|eso es|asi es|vale|desde luego|por supuesto|de acuerdo|efectivamente",
  no: "no|tampoco|siga|sigan|no hace falta|esta bien|para nada|nunca",
  phrases: {
    ask: "Para estar seguros: ¿quiere que dejemos de llamarle y de escribirle?",
    done: "Su número está ahora en nuestra lista de no llamar. Adiós.",
    noted: "Comunicaré que no desea más llamadas. Adiós.",
  },
};
