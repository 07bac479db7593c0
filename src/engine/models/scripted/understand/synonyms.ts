import { wholeWords } from "#src/engine/models/scripted/words.ts";

/** Words for the same choice, whichever of them the list has. All languages, because lists are often English. */
const SYNONYMS = `
card karte kreditkarte tarjeta carte kort visa mastercard amex credit debit creditcard plastic bankkort girocard
cash bar bargeld efectivo espèces liquide kontanter kontant notes
transfer banktransfer wire überweisung überweise überweisen transferencia virement överföring överför
invoice bill rechnung factura facture faktura
check cheque scheck chèque check
directdebit lastschrift einzug domiciliación prélèvement autogiro
l large big bigger biggest largest huge groß große großen größte größten grand grande gran stor stora största
s small little smaller smallest tiny klein kleine kleinen kleinste pequeño pequeña petit petite liten lilla minsta
m medium middle regular normal standard mid mittel mittlere mittleren mediano mediana moyen moyenne mellan medel
mobile cell cellphone handy mobiltelefon móvil celular portable mobil mobilen
landline festnetz fijo fixe fasttelefon hemtelefon
retired rente rentner rentnerin pensioner pension ruhestand jubilado jubilada retraité retraitée retraite pensionär
selfemployed freelance freelancer business selbstständig selbständig freiberuflich autónomo autónoma indépendant indépendante egenföretagare
student college university school studium studiere studentin estudiante universidad étudiant étudiante studerande plugga
unemployed jobless arbeitslos parado desempleado chômage chômeur arbetslös
weekend weekends saturday saturdays sunday sundays wochenende samstags sonntags finde helg helgen
weekday weekdays workdays werktags wochentags entresemana semaine vardagar vardag
pickup collect collection pick selbstabholung abholung abholen abhole recoger recogida retirer retrait hämta avhämtning
delivery deliver bring ship lieferung liefern bringen envío entregar entrega enviar domicilio livraison livrer livrez leverans leverera
phone call telephone ring telefon anruf anrufen telefonisch teléfono llamada llámenme téléphone appel telefonen samtal ringa
sms text texting textmessage whatsapp kurznachricht mensaje message meddelande
email mail correo courriel mejl epost
letter post brief postalisch carta courrier lettre brev
morning mornings vormittag vormittags morgens mañana mañanas matin matinée förmiddag förmiddagen beforelunch
afternoon afternoons nachmittag nachmittags tarde tardes aprèsmidi eftermiddag eftermiddagen afterlunch
evening evenings abend abends noche noches soir soirée kväll kvällen kvällar afterwork
new neu neue nuevo nueva nouveau nouvelle ny nytt
used secondhand gebraucht gebrauchte usado usada occasion begagnad
daily day täglich diario diariamente quotidien dagligen
weekly week wöchentlich woche semanal semana hebdomadaire semaine veckovis vecka
monthly month monatlich mensual mensuel månadsvis
yearly annual annually year jährlich anual annuel årligen
satisfied happy content pleased good great zufrieden satisfecho satisfait nöjd
unsatisfied dissatisfied unhappy bad unzufrieden insatisfecho insatisfait missnöjd
single alone einzel individual enkel
double doppel doble dubbel
red rot rojo roja rouge röd
blue blau azul bleu blå
green grün verde vert grön
yesterday gestern ayer hier igår
spouse wife husband partner fiancé fiancée ehemann ehefrau frau mann ehepartner partnerin marido mujer esposo esposa pareja cónyuge mari femme conjoint conjointe époux épouse make maka man fru sambo
parent mother father mom mum dad mama papa mutter vater elternteil mamá papá madre padre progenitor mère père mamma pappa mor far förälder
child kid son daughter kind sohn tochter hijo hija fils fille enfant son dotter barn
sibling brother sister bruder schwester geschwister hermano hermana frère sœur bror syster syskon
friend mate buddy freund freundin amigo amiga ami amie vän kompis väninna
neighbor neighbour nachbar nachbarin vecino vecina voisin voisine granne
house home haus casa maison hus huset villa detached
apartment flat condo condominium wohnung piso departamento apartamento appartement lägenhet
renew extend continue prolong keep staying stay verlängern verlängere weiterführen behalten renovar seguir continuar mantener renouveler continuer prolonger garder förnya fortsätta behålla förlänga
change switch modify adjust update upgrade ändern wechseln anpassen cambiar modificar modifier changer ändra byta
cancel terminate quit end stop kündigen beenden aufhören raus stornieren cancelar anular terminar baja résilier arrêter annuler avsluta säga upp
both beide beides ambos ambas båda
urgent urgently asap immediately emergency dringend sofort eilt urgente urgencia akut brådskande
noturgent wait later normal whenever normalo
fulltime vollzeit completa tempsplein heltid
parttime teilzeit halbtags mediajornada tempspartiel deltid
car auto wagen coche carro voiture bil
van transporter furgoneta camionnette skåpbil
truck lorry lkw camión camion lastbil
bus coach autobús buss
train zug bahn tren tåg
bike bicycle cycling fahrrad rad bici bicicleta vélo cykel
foot walk walking fuß pie pied fots
electric electricity strom elektrisch eléctrico eléctrica électrique électricité elektrisk el
gas gaz erdgas
oil heizöl fioul mazout olja
wood holz pellets leña madera bois ved
chicken hähnchen huhn pollo poulet kyckling
beef rind rindfleisch ternera bœuf steak nötkött
fish fisch pescado poisson fisk salmon lachs salmón saumon lax
vegetarian vegetarisch vegetariano vegetariana végétarien végétarienne vegetarisk veggie
window fenster fensterplatz ventana ventanilla hublot fenêtre fönster
aisle gang gangplatz pasillo couloir gång
inside indoors drinnen dentro intérieur inne
outside outdoors terrace patio draußen terrasse terraza fuera extérieur ute
work job office arbeit büro trabajo oficina travail bureau arbete jobb kontor jobbet
remote home homeoffice zuhause remoto teletrabajo télétravail distans hemifrån
hybrid mix mixed both gemischt mixto mixte blandat
broken damaged kaputt defekt beschädigt dañado roto cassé abîmé trasig skadad
wrong falsch equivocado incorrecto mauvais fel
beginner anfänger principiante débutant nybörjare
advanced fortgeschritten fortgeschrittene avanzado avancé avancerad`;

/** Returns a word without marks above its letters, which people leave out: "diésel". */
export function foldWord(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/** Words of the same meaning, by each of them. */
export const SAME = new Map<string, string[]>();
for (const line of SYNONYMS.trim().split("\n")) {
  const words = line.split(" ").map(foldWord);
  for (const word of words) SAME.set(word, [...(SAME.get(word) ?? []), ...words]);
}

/** Phrases that stand for one word. */
const PHRASES: [RegExp, string][] = [
  [/(?<=\p{L})-(?=\p{L})/gu, ""],
  [/(?<!\p{L})(?:[ldjmnstc]|qu)'(?=\p{L})/giu, " "],
  [wholeWords("e mail", "giu"), "email"],
  [wholeWords("extra large", "giu"), "xl"],
  [wholeWords("extra small", "giu"), "xs"],
  [wholeWords("every other week|every second week|fortnightly", "giu"), "every 2 weeks"],
  [wholeWords("jede zweite woche|alle vierzehn tage", "giu"), "alle 2 wochen"],
  [wholeWords("una semana sí y otra no", "giu"), "cada 2 semanas"],
  [wholeWords("une semaine sur deux", "giu"), "toutes les 2 semaines"],
  [wholeWords("varannan vecka", "giu"), "var 2 vecka"],
  [
    wholeWords(
      "hol(?:e|en)?(?:'s| es| das| sie| ihn)? (?:\\p{L}+ )?selbst(?: ab)?|come (?:and|to) get (?:it|them)|get it myself",
      "giu",
    ),
    "pickup",
  ],
  [wholeWords("direct debit", "giu"), "directdebit"],
  [wholeWords("full time|jornada completa|temps plein", "giu"), "fulltime"],
  [wholeWords("part time|media jornada|temps partiel", "giu"), "parttime"],
  [wholeWords("l[oa]s dos(?: cosas)?|les deux|tous les deux|all of the above", "giu"), "ambos"],
  [wholeWords("before (?:lunch|noon)|vor dem mittag|antes de comer|avant midi|före lunch", "giu"), "beforelunch"],
  [
    wholeWords("after lunch|nach dem mittag(?:essen)?|después de comer|après le déjeuner|efter lunch", "giu"),
    "afterlunch",
  ],
  [
    wholeWords("after work|nach der arbeit|nach feierabend|después del trabajo|après le travail|efter jobbet", "giu"),
    "afterwork",
  ],
  [
    wholeWords(
      "(?:leave|keep) (?:it|everything|things) (?:\\p{L}+ ){0,2}(?:as|way) (?:it|they|things) (?:is|are)",
      "giu",
    ),
    "renew",
  ],
  [
    wholeWords(
      "(?:don't|do not|no longer) (?:need|want) (?:it|this|the \\p{L}+)(?: any ?more| any longer)?|get (?:me )?out of (?:it|this)|brauche (?:ich )?(?:es|sie|das) nicht mehr|ya no (?:lo|la) (?:quiero|necesito)|n'en (?:veux|ai) plus(?: besoin)?|behöver (?:den|det) inte (?:längre|mer)",
      "giu",
    ),
    "cancel",
  ],
  [
    wholeWords(
      "(?:can|could) wait|no (?:rush|hurry)|keine eile|hat zeit|no (?:hay|tengo) prisa|pas (?:pressé|urgent)|ingen brådska",
      "giu",
    ),
    "noturgent",
  ],
];

/** Returns a text in which phrases that stand for one word are that word. */
export function toPlainWords(text: string): string {
  return PHRASES.reduce((rest, [phrase, word]) => rest.replaceAll(phrase, word), text);
}
