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
advanced fortgeschritten fortgeschrittene avanzado avancé avancerad
price expensive pricey costly cost costs dear afford cheaper money teuer teurer preis kosten kostspielig caro cara caros precio precios coste costoso cher chère chers prix coût dyr dyrt dyra pris priset kostnad
moved move moving relocate relocated relocation umzug umgezogen umziehen umziehe wegzug mudanza mudado mudamos mudo mudé traslado déménagement déménagé déménage déménageons flytt flytten flyttat flyttar flyttade
damaged cracked crack smashed dented dent scratched torn shattered bent ripped beschädigt gebrochen zerbrochen riss kratzer delle zerrissen rajado rayado abollado golpeado fêlé rayé déchiré krossad krossat repad repa sprucken sprack
defective faulty malfunction broken kaputt defekt mangelhaft defectuoso averiado roto défectueux panne cassé trasig trasigt
late delayed delay spät verspätet verspätung retraso retrasado tardó retard försenad försenat sent
forgot forgotten forget vergessen vergaß olvidé olvidado olvido olvidó oublié oubli glömde glömt glömska
nomoney money funds cash finances geld dinero argent pengar
family familie familia famille familj relatives relations < mum mom dad mother father parents grandkids grandchildren grandma grandpa granny sister brother siblings cousin aunt uncle nephew niece daughter son kids children wife husband verwandte eltern mutter vater enkel oma opa cousine schwester bruder tochter sohn padres madre padre abuelos abuela nietos primos tía tío hermana hermano hija hijo parientes parents mère père petitsenfants grandsparents tante oncle sœur frère fille fils släkt släkten släktingar föräldrar mamma pappa barnbarn kusin moster syster bror dotter son
business work geschäftlich geschäft beruflich dienstlich arbeit negocios negocio trabajo profesional affaires professionnel professionnelle travail affärer affärsresa arbete tjänst < client clients customer conference meeting trade job company messe kunde kunden konferenz firma congreso feria empresa reunión congrès client salon réunion boulot jobb jobbet tjänsten mässa konferens
holiday holidays vacation leisure fun pleasure tourism sightseeing beach relax relaxing urlaub ferien freizeit erholung vacaciones ocio turismo placer vacances loisirs tourisme plaisir semester semestern fritid nöje
private personal privat privately privado privada particular personnel privé eget
size fit fits fitting sizing größe passform talla tallaje taille storlek passform fitsize
quality flimsy qualität minderwertig calidad qualité kvalitet kvaliteten
mind regret überlegt opinión idea avis ångrat ångrar changedmind
service staff support bedienung personal beratung atención servicio personnel accueil bemötande kundtjänst < rude unfriendly unhelpful unfreundlich maleducados otrevlig otrevliga impolis
competitor competition provider switched konkurrenz anbieter wettbewerber competencia compañía concurrence concurrent opérateur konkurrent leverantör otherprovider
health illness medical gesundheit gesundheitlich krankheit salud enfermedad santé maladie hälsa sjukdom < sick ill injured injury hospital surgery krank verletzt operation enfermo enferma lesión operación malade blessé opération sjuk skadad
internet online web website netz internetsuche página site hemsida nätet < google googled searched browsing buscando recherche googlade gegoogelt
social socialmedia redes réseaux sociala < facebook instagram tiktok linkedin
recommendation recommended referral referred friend friends empfehlung empfohlen freunde recomendación recomendado amigo recommandation recommandé conseillé ami rekommendation rekommenderad vän < neighbour neighbor colleague coworker sister brother freund nachbar kollege kollegin recomendaron recomendó amiga vecino compañero amie voisin collègue rekommenderade tips tipsade granne kollega
tv television fernsehen televisión tele télé télévision
newspaper paper magazine zeitung zeitschrift periódico revista journal tidning tidningen
advertisement ad advert flyer poster billboard leaflet werbung anzeige plakat anuncio publicidad folleto publicité annonce affiche reklam annons
rent renter rented renting tenant lease miete mieter mieterin gemietet alquiler alquilo alquilado inquilino inquilina location locataire loue louons hyr hyresgäst hyresrätt
own owner owned bought homeowner eigentum eigentümer eigenheim gekauft propio propia propietario propietaria comprado propriété propriétaire acheté äger ägare köpt bostadsrätt
married verheiratet casado casada marié mariée gift
divorced separated geschieden getrennt divorciado divorciada separado divorcé divorcée séparé séparée skild separerad
widowed widow widower verwitwet witwe witwer viudo viuda veuf veuve änka änkling
employed employee angestellt angestellter angestellte arbeitnehmer empleado empleada asalariado employé employée salarié salariée anställd
never nie niemals nunca jamás jamais aldrig
always immer siempre toujours alltid
sometimes occasionally manchmal gelegentlich ocasionalmente parfois ibland
often frequently regularly oft häufig regelmäßig frecuentemente menudo souvent fréquemment ofta regelbundet
rarely seldom selten raramente rarement sällan
mild slight light leicht leve ligero léger légère lätt lindrig
moderate mäßig mittelstark moderado modéré modérée måttlig
severe strong intense unbearable terrible stark schlimm heftig fuerte grave intenso sévère fort forte svår kraftig stark
excellent outstanding fantastic superb amazing ausgezeichnet hervorragend excelente fantástico excellente formidable utmärkt fantastisk
good gut bueno buena bien bon bonne bra
fair average okay mediocre mittelmäßig durchschnittlich regular moyen moyenne okej medel
poor bad terrible awful horrible schlecht miserabel malo mala pésimo mauvais mauvaise nul dålig dåligt usel
petrol gasoline benzin benziner gasolina essence bensin
diesel diésel gasoil
left links linke linken izquierda izquierdo gauche vänster vänstra
right rechts rechte rechten derecha derecho droite droit höger högra
upper top upstairs oben arriba superior haut övre ovan
lower bottom downstairs unten abajo inferior bas nedre nere
yellow gelb amarillo amarilla jaune gul gult
black schwarz negro negra noir noire svart
white weiß blanco blanca blanc blanche vit vitt
grey gray grau gris grå grått
brown braun marrón brun brunt
breakfast frühstück desayuno petitdéjeuner frukost
lunch midday mittagessen mittag almuerzo déjeuner lunchen
dinner supper abendessen cena dîner middag
immediately now sofort gleich jetzt ahora enseguida maintenant immédiatement nu genast direkt omgående
undecided unsure maybe perhaps unsicher vielleicht unentschlossen indeciso quizá quizás peutêtre indécis kanske osäker
noisy loud noise lärm laut ruido ruidoso bruit bruyant buller
distance far location weit entfernung lage lejos ubicación distancia loin éloigné emplacement långt avstånd läge
salary pay wage gehalt lohn bezahlung sueldo salario paga salaire paie lön lönen
garden yard lawn garten rasen jardín césped jardin pelouse trädgård gräsmatta
kitchen küche cocina cuisine kök köket
bathroom shower bath bad badezimmer dusche baño ducha bain douche badrum dusch
roof dach tejado toit tak
leak leaking dripping undicht tropft fuga gotea fuite coule läcka läcker droppar
heating heizung calefacción chauffage värme
plumbing pipe pipes drain rohr leitung abfluss tubería desagüe plomberie tuyau rör avlopp`;

/** Returns a word without marks above its letters, which people leave out: "diésel". */
export function foldWord(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "");
}

let same: Map<string, string[]> | undefined;

/** Returns the words of the same meaning, the word among them; none for a word of which none are known. */
export function synonymsOf(word: string): readonly string[] {
  same ??= readSynonyms();
  return same.get(word) ?? [];
}

function readSynonyms(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of SYNONYMS.trim().split("\n")) {
    const [alike = "", kinds = ""] = line.split(" < ");
    const words = alike.split(" ").map(foldWord);
    const more = kinds === "" ? [] : kinds.split(" ").map(foldWord);
    for (const word of [...words, ...more]) found.set(word, [...(found.get(word) ?? []), ...words]);
  }
  return found;
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
  [
    wholeWords(
      "(?:hardly|barely|scarcely) ever|almost never|once in a blue moon|fast nie|so gut wie nie|casi nunca|presque jamais|nästan aldrig",
      "giu",
    ),
    "rarely",
  ],
  [
    wholeWords(
      "(?:every )?now and (?:then|again)|from time to time|once in a while|every so often|on and off|ab und (?:zu|an)|hin und wieder|von zeit zu zeit|de vez en cuando|a veces|algunas veces|de temps (?:en temps|à autre)|quelquefois|då och då|emellanåt|ibland",
      "giu",
    ),
    "sometimes",
  ],
  [
    wholeWords(
      "(?:it's|it is|they're|that's) (?:mine|ours|my own|our own)|es (?:mía|mío|nuestr[oa])|gehört (?:mir|uns)|(?:c'est|elle est|il est) à (?:moi|nous)|är (?:min|vår)(?: egen)?",
      "giu",
    ),
    "own",
  ],
  [
    wholeWords(
      "(?:my|our|his|her) own (?:\\p{L}+ )?(?:shop|business|company|firm|practice|boss|thing)|work for myself|eigene[sn]? (?:firma|geschäft|laden|betrieb|unternehmen|chef)|propi[oa] (?:negocio|empresa|jefe|tienda)|por mi cuenta|cuenta propia|propre (?:entreprise|boîte|patron|commerce)|à mon compte|eget (?:företag|bolag)|egen firma",
      "giu",
    ),
    "selfemployed",
  ],
  [
    wholeWords(
      "told (?:me|us) about|word of mouth|(?:von (?:ihnen|euch) )?erzählt|mundpropaganda|me (?:habl(?:ó|aron)|lo recomend\\p{L}+)|boca a boca|m'(?:a|ont) parlé|bouche à oreille|berättade|mun till mun",
      "giu",
    ),
    "recommendation",
  ],
  [
    wholeWords(
      "(?:moved|moving|move) (?:house|away|out)|(?:ziehe|ziehen|zog|zogen)(?: \\p{L}+){0,2} (?:um|weg|nach \\p{L}+)|cambi\\p{L}+ de (?:casa|domicilio|ciudad|piso)|changé (?:d'adresse|de ville|d'appartement)|bytt (?:adress|bostad)",
      "giu",
    ),
    "moved",
  ],
  [
    wholeWords(
      "slipped (?:my|our) mind|se me (?:pasó|fue)(?: \\p{L}+){0,2}|(?:ça m'est )?sorti de la tête|fallit (?:mig )?ur minnet|durchgerutscht|verschwitzt",
      "giu",
    ),
    "forgot",
  ],
  [
    wholeWords(
      "between jobs|lost (?:my|his|her|our) jobs?|laid off|(?:short (?:of|on)|low on|out of) (?:money|cash|funds)|(?:strapped|tight|broke)(?= *(?:$|[.,!?]|at|right|this|just|until))|can't afford|not been paid|haven't been paid|knapp bei kasse|pleite|kein geld|sin dinero|no tengo (?:el )?dinero|ando corto|pas (?:d'|les )(?:argent|moyens)|fauché|inga pengar|ont om pengar|inte råd",
      "giu",
    ),
    "nomoney",
  ],
  [
    wholeWords(
      "(?:not|isn't|wasn't) (?:what|the \\p{L}+) (?:i|we)(?:'d| had)? ordered|sent (?:me |us )?(?:the wrong|a different|another)|sent (?:me |us )?the \\p{L}+(?: one)?(?=.{0,20}ordered)|ordered (?:a|the|something) (?:different|other|else)|instead of the|etwas anderes bestellt|nicht das,? was (?:ich|wir)|no es lo que (?:pedí|pedimos)|había pedido otr[oa]|pas ce que (?:j'ai|nous avons) commandé|inte (?:det|den) (?:jag|vi) (?:beställde|hade beställt)",
      "giu",
    ),
    "wrong",
  ],
  [
    wholeWords(
      "too (?:small|big|tight|loose|short|long|large|narrow|wide)|zu (?:klein|groß|eng|weit|kurz|lang)|(?:me )?(?:queda|quedaba|va) (?:muy )?(?:pequeñ[oa]|grande|estrech[oa]|larg[oa])|trop (?:petite?|grande?|serrée?|courte?|longue?)|för (?:liten|litet|stor|stort|trång|kort|lång)",
      "giu",
    ),
    "fitsize",
  ],
  [
    wholeWords(
      "changed (?:my|our) minds?|had second thoughts|no longer (?:need|want) it|anders überlegt|es mir anders|cambi(?:é|amos|ado) de (?:idea|opinión)|me (?:lo )?arrepentí|changé d'avis|ångra(?:t|de) mig|ändrat mig",
      "giu",
    ),
    "changedmind",
  ],
  [
    wholeWords(
      "(?:doesn't|does not|don't|won't|didn't|not|stopped) (?:work(?:ing)?|turn on|start|switch on|charge)|(?:geht|funktioniert|läuft|startet)(?: \\p{L}+){0,2} nicht|no (?:funciona|enciende|arranca|va)|ne (?:marche|fonctionne|s'allume|démarre) pas|(?:fungerar|startar|funkar) inte",
      "giu",
    ),
    "defective",
  ],
  [
    wholeWords(
      "(?:another|different|new) (?:company|provider|supplier|gym|bank|insurer)|(?:better|cheaper) (?:offer|deal) elsewhere|ander(?:er|en|em) anbieter|otra (?:compañía|empresa)|autre (?:opérateur|fournisseur|entreprise)|annan? (?:leverantör|bolag|företag)",
      "giu",
    ),
    "otherprovider",
  ],
  [
    wholeWords(
      "(?:too much|more than i (?:can|want to)|went up|gone up|zu viel geld|demasiado dinero|cuesta (?:mucho|demasiado)|trop d'argent|coûte trop|kostar för mycket)",
      "giu",
    ),
    "expensive",
  ],
  [
    wholeWords(
      "as soon as (?:possible|you can)|right (?:away|now)|straight away|at once|so schnell wie möglich|cuanto antes|lo antes posible|tout de suite|dès que possible|au plus vite|så (?:snart|fort) som möjligt|med en gång",
      "giu",
    ),
    "immediately",
  ],
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
