import type { SentimentLanguage } from "#src/engine/sentiment/language.ts";

/** Spanish. */
export const ES: SentimentLanguage = {
  code: "es",
  common:
    "el,la,los,las,un,una,de,que,y,en,es,no,me,mi,por,para,con,se,lo,su,esta,estoy,tengo,yo,usted,ustedes,le,muy,son",
  negations: "no,nunca,jamas,nada,tampoco,sin,ni,ningun,ninguna",
  furious:
    "mierda,joder,jodan,jodas,cono,hijo de puta,hijos de puta,puta madre,que se vaya a la,vayanse a la,vete al diablo,vayanse al diablo,al carajo,gilipollas,imbecil,imbeciles,idiota,idiotas,estupido*,callese,callate,sinverguenza*,ladrones,estafadores,estafador,me esta mintiendo,me estan mintiendo,me mienten,mentiroso*,mentira tras mentira,estoy furioso,estoy furiosa,furioso,furiosa,estoy harto,estoy harta,harto de,harta de,hasta las narices,hasta el gorro,hasta los cojones,indignante,indignado,indignada,como se atreve,como se atreven,los voy a denunciar,les voy a denunciar,voy a demandar,me esta tomando el pelo,me estan tomando el pelo,tomadura de pelo,que verguenza,es una verguenza,basta ya,ya basta,cuantas veces tengo que,cuantas veces se lo,por ultima vez,perdiendo el tiempo,perder el tiempo,haciendome perder,me da rabia,muy enfadado,muy enfadada,muy enojado,muy enojada,muy molesto,muy molesta,que rabia,es usted sordo,es sordo,es inaceptable,totalmente inaceptable,es el colmo,me tienen harto,me tienen harta,un asco",
  angry:
    "ridiculo,inaceptable,enfadado,enfadada,enojado,enojada,molesto,molesta,horrible,terrible,pesimo,pesima,estafa,verguenza,absurdo,tonteria*,asco,asqueroso,fatal,lamentable,inutil*,incompetente*,maleducado*,grosero*,insoportable,peor,odio,tonto*,desastre,robo,acoso",
  bad: "decepcion*,mal,malo,mala,descontento,descontenta,triste,queja,quejas,quejarme,frustr*,preocupad*,no me gusta,no me gusto,demasiado caro,muy caro,confundid*,confuso,no estoy contento,no estoy contenta,nunca mas,una lastima,disgust*,fastidi*,pesado*",
  good: "bueno es,muy bueno,muy buena,muy bien,me gusta,me parece bien,contento,contenta,feliz,amable,muy amable,encantado,encantada,satisfech*,agradecid*,muchas gracias,mil gracias,me alegro,que bien,genial,agradable,bonito,de maravilla,me viene bien,que bueno,con mucho gusto,util",
  great:
    "excelente,perfecto,maravillos*,fantastic*,estupend*,increible,fenomenal,magnific*,me encanta,me ha encantado,espectacular",
  plain:
    "buenos dias,buenas tardes,buenas noches,no esta mal,nada mal,no hay problema,menos mal,mala conexion,no pasa nada,bueno,mal numero,se oye mal,le oigo mal,oigo mal,si no es molestia,no es molestia,mal momento,buen momento,encantado de conocerle",
};
