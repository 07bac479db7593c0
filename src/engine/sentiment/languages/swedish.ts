import type { SentimentLanguage } from "#src/engine/sentiment/language.ts";

/** Swedish. */
export const SV: SentimentLanguage = {
  code: "sv",
  common: "jag,du,ni,vi,det,den,ar,och,att,en,ett,inte,som,pa,av,med,for,har,om,mig,min,mitt,vad,till,kan,nu,sa,var",
  negations: "inte,ej,aldrig,ingen,inget,inga,knappast,utan,ingenting",
  furious:
    "javla*,javlar,for fan,fy fan,fan ocksa,helvete,dra at helvete,far at helvete,hall kaften,hall kaft,skit samma,skitsnack,skitforetag,idiot,idioter,dumskalle*,ar du dov,ar ni dova,ar du dum,ar ni dumma,dum i huvudet,ni ljuger,du ljuger,lognare,bedragare,forbannad,forbannade,rasande,skitarg,jattearg,mycket arg,riktigt arg,sa arg,jag ar arg,trott pa er,jag ar sa trott pa,fatt nog,har fatt nog,nu racker det,det racker nu,hur manga ganger ska,hur manga ganger maste,for sista gangen,slosar min tid,slosa med min tid,sloseri med min tid,stamma er,anmala er,polisanmala,hur vagar,skandal,en skandal,oacceptabelt helt,helt oacceptabelt,vad i helvete,jag hatar,hatar er,gar mig pa nerverna,driver du med mig,driver ni med mig,skamta ni,inte klok,ni ar inte kloka,oforskamt,lamna mig ifred,lamna mig i fred,skamligt",
  angry:
    "lojligt,oacceptabelt,arg,irriter*,hemskt,fruktansvart,vardelost,vardelosa,usel*,skit,skitdaligt,dum,dumt,dumma,nonsens,struntprat,bluff,lurendrejeri,lura,pinsamt,samst,varst,hatar,inkompetent*,oforskamd*,otrevlig*,trakasser*,katastrof,absurt",
  bad: "besviken,besvikna,missnojd,missnojda,dalig,daligt,daliga,ledsen for det,trakigt,klaga,klagomal,frustrer*,orolig,for dyrt,stor mig,forvirrad,gillar inte,tycker inte om,inte nojd,jobbigt,tyvarr inte bra,fel pa",
  good: "bra,jattebra,trevlig,trevligt,glad,nojd,snall,snallt,hjalpsam,passar bra,passar mig,gillar,tycker om,tack sa mycket,tusen tack,harligt,skont,kul,roligt,fint,gott,uppskattar,toppen,vanlig,vanligt av",
  great: "underbart,utmarkt,perfekt,fantastisk*,lysande,suverant,superbra,alskar,stralande,mycket nojd,jattenojd",
  plain:
    "god morgon,god kvall,god natt,inga problem,ingen fara,det gor inget,inte daligt,dalig linje,dalig uppkoppling,fel nummer,bra da,ja bra,okej bra,hej da,ingen orsak,ha det bra,ma bra,mar bra,hur mar du,skulle vilja,dalig mottagning,som vanligt,lika bra",
};
