import type { SentimentLanguage } from "#src/engine/sentiment/language.ts";

/** French. */
export const FR: SentimentLanguage = {
  code: "fr",
  common:
    "le,la,les,un,une,de,des,du,et,est,que,qui,je,j,vous,nous,il,elle,ce,c,pas,ne,n,pour,en,avec,sur,mon,ma,mes,votre,vos,ai,suis,m",
  negations: "pas,jamais,rien,aucun,aucune,sans,plus,ni",
  furious:
    "merde,putain,bordel,connard*,connasse,con de,bande de cons,salaud*,fermez la,ferme la,ta gueule,vos gueules,allez vous faire,va te faire,foutez,foutez moi la paix,foutre de moi,foutez de moi,foutez de ma,moquez de moi,moque de moi,vous vous moquez,imbecile*,idiot,idiots,abruti*,cretin*,vous mentez,vous me mentez,menteur*,menteuse,arnaqueur*,escroc*,voleurs,furieux,furieuse,en colere,tres en colere,ras le bol,j en ai assez,j en ai marre,marre de,j en peux plus,scandaleux,c est un scandale,une honte,c est honteux,comment osez vous,porter plainte,je vais porter,vous poursuivre,ca suffit,ca suffit maintenant,combien de fois dois je,combien de fois faut il,combien de fois il faut,pour la derniere fois,perdre mon temps,perte de temps,vous etes sourd,vous etes bete,inadmissible,hors de moi,me prenez pour un,me prenez pour qui,me casse les,me cassez les,me faites chier,fait chier,c est n importe quoi,totalement inacceptable,allez au diable",
  angry:
    "ridicule,inacceptable,enerve*,enervant,agac*,horrible,terrible,affreux,affreuse,nul,nulle,lamentable,honte,absurde,bete,betise*,arnaque,mensonge*,degueulasse,insupportable,incompetent*,grossier*,pire,deteste,catastroph*,minable,harcel*,penible,foutaise*",
  bad: "decu,decue,decevant*,mecontent*,mauvais,mauvaise,triste,plaindre,plainte,frustr*,inquiet,inquiete,trop cher,dommage,confus,ennuyeux,derange*,mal,desagreable,n aime pas,pas content,pas contente,plus jamais,insatisfait*",
  good: "bien,tres bien,bonne idee,content,contente,heureux,heureuse,gentil,gentille,aimable,agreable,merci beaucoup,merci infiniment,ca me plait,me convient,ca me va,ravi,ravie,satisfait,satisfaite,sympa,sympathique,utile,j aime,super,chouette,avec plaisir,volontiers",
  great:
    "excellent*,parfait,parfaite,merveilleu*,fantastique*,formidable,genial,geniale,magnifique,j adore,extraordinaire,impeccable,enchantee",
  plain:
    "bonjour,bonsoir,bonne journee,bonne soiree,pas mal,pas de probleme,pas grave,pas de souci,bien sur,eh bien,ou bien,bien entendu,tres bien merci,si bien que,mal entendu,j entends mal,entends mal,bien que,aussi bien,mauvais numero,mauvaise ligne,c est bien ca,combien,bien a vous,j aimerais bien,je voudrais bien,vous entends bien,pas bete,mauvais moment,c est bien le,c est bien la,c est bien moi,c est bien vous,il y a bien,terriblement",
};
