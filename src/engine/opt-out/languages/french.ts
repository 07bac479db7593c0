import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const APPELER =
  "(?:appeler|rappeler|contacter|telephoner|deranger|harceler|ecrire|demarcher|importuner|embeter|envoyer|solliciter|texter)";
const APPELEZ =
  "(?:r?appele[rz]?|r?appelles?|r?appeliez|contacte[rz]?|contactiez|telephone[rz]?|telephoniez|derange[rz]?|harcele[rz]?|ecrive[rz]|ecrire|ecris|importune[rz]?|embete[rz]|demarche[rz]|sollicite[rz]?|envoye[rz]?|envoie)";
const APPELS =
  "(?:appels?|messages?|sms|textos?|mails?|e mails?|coups? de (?:fil|telephone)|demarchage|publicites?|contact)";
const MOI = "(?:m|me|nous|moi)";
const MON = "(?:mon (?:numero|nom|telephone)|mes (?:coordonnees|donnees)|ce numero|notre numero)";
const LISTE = "(?:listes?|fichiers?|base(?: de donnees)?|bases|registres?|systeme|repertoire|donnees)";
const FIN = "(?= *(?:(?:s il (?:vous|te) plait|svp|merci)? *(?:$|[.,!?])|et|ou|jamais|maintenant))";

/** French. */
export const FR: OptOutLanguage = {
  code: "fr",
  cues: "appe rapp cont tele dera harc ecri ecris demo dema impo embe envo soll text mess sms mail coup publ arre cess veux veut voul souh desi reti enle supp ray effa radi otez lais fout fou fich plus aucu asse desa revo annu bloc list pas oppo ne n pers m comb marr ras vais port plai c stop suff avoc poli cnil rgpd spam arna peni desab oubl droi inte dern disp affa",
  plain: [
    `(?:arret\\w+|cess\\w+)(?: tout de suite| immediatement)? (?:de|d)(?: ${MOI})? ${APPELER}`,
    `(?:ne |n )?(?:veux|veut|voulons|souhaite|souhaitons|desire|voudrais)(?: \\w+)? (?:plus|pas|plus jamais)(?: (?:jamais|du tout))? (?:etre|qu on|que (?:vous|l on|quelqu un)) ?(?:${MOI} )?(?:r?appele(?:e|es|s|z)?|contacte(?:e|es|s)?|derange(?:e|es|s)?|demarche(?:e|es|s)?|sollicite(?:e|es|s)?|importune(?:e|es|s)?|embete(?:e|es|s)?|harcele(?:e|es|s)?|${APPELEZ})`,
    `(?:veux|voulons|souhaite|souhaitons|desire|voudrais) (?:plus|pas)(?: jamais)?(?: (?:recevoir|avoir|d avoir))?(?: (?:de|d|vos|ces|aucun|aucuns|des))* ${APPELS}`,
    "(?:veux|voulons|souhaite) plus (?:jamais )?(?:entendre parler de|avoir de (?:vos )?nouvelles)",
    `(?:retir|enlev|supprim|ray|effac|radi|otez|ot)\\w*(?: ${MOI}) (?:de|du)(?: \\w+){0,2} ${LISTE}(?! d attente)`,
    `(?:me|nous) (?:retirer|enlever|supprimer|rayer|effacer|radier) (?:de|du)(?: \\w+){0,2} ${LISTE}`,
    `(?:retir|enlev|supprim|effac|ray)\\w* ${MON}`,
    "(?:laiss\\w+|fou\\w+|fich\\w+)(?: moi| nous) (?:tranquilles?|la paix|en paix)",
    `(?:^|[.,!?] )(?:non )?(?:plus|aucun|assez)(?: jamais)? (?:de|d|aucun) ?${APPELS}${FIN}`,
    "(?:desabonn\\w+)(?: moi| nous)?(?= *(?:$|[.,!?]|s il|merci|de))",
    "(?:retire|revoque|annule)(?: \\w+)? (?:consentement|accord|autorisation)",
    "bloctel|liste rouge|liste d opposition|liste noire",
    "(?:pas|aucun) (?:le )?(?:droit|autorisation) (?:de|d) ?(?:m |me |nous )?(?:appeler|contacter|deranger)",
    "m oppose (?:a|au|aux)(?: \\w+){0,8} (?:demarchage|appels?|prospection|contact\\w*|marketing|publici\\w*|commercial\\w*)",
    `(?:de|merci de|pri\\w* de) ne plus(?: jamais)?(?: ${MOI})? ${APPELER}`,
    `interdi(?:s|t|sons) (?:de |d )(?:${MOI} )?${APPELER}`,
    `(?:cess|arret)\\w+ (?:tous )?(?:vos|ces) ${APPELS}`,
    `(?:que )?(?:plus )?personne ne ${MOI} (?:r?appelle|contacte)`,
  ],
  forbidding: [
    `(?:ne |n )(?:${MOI} )?${APPELEZ}(?: ${MOI})? (?:plus jamais|plus|jamais)(?! (?:tard|tot|de \\w+ fois))`,
    `(?:^|[.,!?] )(?:alors )?(?:m|me) (?:appelez|appelle|appeler|contactez|rappelez) (?:plus|jamais)`,
    `(?:ne |n )${MOI} ${APPELEZ} pas${FIN}`,
    `(?:ne |n )${MOI} envoye[rz] (?:plus|pas)(?: (?:de|d|vos|aucun))* ${APPELS}`,
  ],
  innocent: [
    "n arrete[rz]? pas(?! de)",
    "(?:ma|mon|la|le|il|elle)(?: \\w+){0,2} (?:a|ont) (?:dit|demande)(?: (?:a|au|aux)(?: \\w+){1,2})? (?:de|que)[^.!?]*",
    "m appelle (?!plus)\\w+|je ne m appelle plus \\w+",
    "ne m appele[rz] pas (?!avant|apres|s il|svp|merci|et|le|la|sur|a |au|aujourd|ce|demain|pendant|si|quand|tot|trop|ici|chez)\\w+",
    "pourquoi[^.!?]*",
    "(?:il|elle|(?:mon|ma) \\w+) ne (?:m|nous) (?:r?appelle|contacte|ecrit) plus",
    "liste d attente|liste de courses",
    "ne reçois plus|je ne recois plus[^.,!?]*",
    "n oubliez pas[^.!?]*",
    "envoyez moi plus de",
  ],
  keeps: [
    "(?:ne (?:veux|souhaite|voulais|desire) pas|n ai pas dit) que vous (?:(?:me )?(?:arret|cess|supprim|retir|ray|effac)\\w+|m (?:arret|effac|enlev)\\w+)(?: de)?(?: \\w+){0,2}",
    "(?<=^|[.,!?] |non )(?:surtout )?n (?:arretez|arrete) pas de (?:(?:m|me|nous) )?\\w+",
    "(?<=^|[.,!?] |non )ne (?:m|me) (?:supprim|retir|ray|effac|enlev)\\w+ pas",
  ],
  limits:
    "avant|apres|jusqu|aujourd|demain|ce (?:matin|soir|midi|week)|cet(?:te)? (?:apres|semaine)|le (?:matin|soir|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week|midi)|sur (?:le|mon) (?:fixe|lieu|portable)|au (?:travail|bureau)|pendant|entre|si|quand|si (?:tot|tard)|trop (?:tot|tard)|a (?:midi|\\d|cette heure)|pour (?:le|la|ca)",
  instead:
    "appelez(?: moi)? (?:sur|plutot|mon|le|demain|apres)|plutot (?:par|sur|demain)|ecrivez moi|je vous (?:rappelle|appelle)|seulement (?:par|sur)|mais oui|uniquement par",
  bare: "stop|arret|arretez|arrete|ca suffit|desabonner|assez|suffit|stop ca|arretez ca|ne plus appeler|ne plus (?:me )?contacter|n appele[rz] plus|stop aux (?:appels|sms|messages)|ne pas appeler|n appelez pas",
  polite: "s il vous plait|s il te plait|svp|oui|merci|maintenant|non|ok|d accord|ca|tout de suite",
  keywords: "arret desabonner",
  yes: "je (?:vous )?l ai (?:deja )?dit|je viens de (?:vous )?le dire|oui|ouais|s il vous plait|svp|exactement|exact|tout a fait|d accord|bien sur|absolument|volontiers|correct|effectivement|je veux bien",
  no: "non|pas|continuez|ca va|jamais|c est bon",
  phrases: {
    ask: "Pour être sûr : voulez-vous que nous cessions de vous appeler et de vous écrire ?",
    done: "Votre numéro est maintenant sur notre liste d'opposition. Au revoir.",
    noted: "Je transmettrai que vous ne souhaitez plus être appelé. Au revoir.",
  },
};
