import type { SentimentLanguage } from "#src/engine/sentiment/language.ts";

/** German. */
export const DE: SentimentLanguage = {
  code: "de",
  common:
    "ich,sie,wir,der,die,das,ein,eine,ist,sind,und,nicht,mit,auf,zu,den,dem,es,was,mir,mich,haben,habe,fur,von,dass",
  negations: "nicht,kein,keine,keinen,keinem,nie,niemals,nichts,ohne,kaum,weder",
  furious:
    "scheisse,scheiss*,verdammt*,verarsch*,leck mich,halt die klappe,halten sie die klappe,halt den mund,arschloch,arschlocher,idiot,idioten,sie idiot,vollidiot*,spinnen sie,sind sie taub,sind sie blod,sind sie bescheuert,unverschamt*,frechheit,eine frechheit,zum teufel,was fallt ihnen ein,was erlauben sie sich,stinksauer,wutend,sauer auf,schnauze voll,nase voll,platzt der kragen,ich verklage,verklagen,betruger,sie lugen,luge,lugner,es reicht mir,mir reicht es,mir reicht s,jetzt reicht es,jetzt reicht s,das reicht jetzt,wie oft soll ich noch,wie oft muss ich,zum letzten mal,zum kotzen,ich hasse,hor auf mich anzulugen,saftladen,unerhort*,lassen sie mich in ruhe,so eine sauerei,sauerei,schweinerei,geht mir auf die nerven,gehen mir auf die nerven,verschwenden meine zeit,verschwendung meiner zeit,rege mich auf,regt mich auf",
  angry:
    "lacherlich,inakzeptabel,sauer,argerlich,arger*,furchtbar,schrecklich,katastrophe,katastrophal,blod,dumm,quatsch,blodsinn,unsinn,nervt,nervig,abzocke,betrug,skandal*,unmoglich von,peinlich,schlimmste*,schlechteste*,unfahig*,belastig*,zumutung,witz sein,mies*,absurd",
  bad: "enttausch*,unzufrieden,schlecht*,unglucklich,traurig,beschwer*,frustri*,leider nein,zu teuer,argert,gefallt mir nicht,gefallt mir gar nicht,verwirr*,verwirrend,stort,storend,falsch,besorgt,umstandlich,mag ich nicht,nicht in ordnung",
  good: "gut,gute,guter,gutes,schon,schone,nett,freundlich,freut mich,freue mich,gefallt mir,gerne,prima,passt mir,passt gut,hilfreich,zufrieden,danke schon,danke sehr,vielen dank,herzlichen dank,angenehm,froh,super,toll,glucklich,lieb von ihnen,klasse",
  great:
    "wunderbar,ausgezeichnet,perfekt,hervorragend,fantastisch,grossartig,begeistert,spitze,traumhaft,einwandfrei,sehr zufrieden",
  plain:
    "guten morgen,guten tag,guten abend,gute nacht,schonen tag,schonen abend,schones wochenende,gut moglich,kein problem,keine sorge,nicht schlecht,schlechte verbindung,falsch verbunden,falsche nummer,bitte schon,na gut,also gut,gern geschehen,ist gut,wie gut,so gut wie,gut dann,schon gut,schon einmal,schon mal,schon am,schon um,schon seit,schon wieder,schon da,bin schon,habe schon,ist schon,schon langst,schon gestern,schon bezahlt,passt schon,guten",
};
