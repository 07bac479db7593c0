import type { SentimentLanguage } from "#src/engine/sentiment/language.ts";

/** English. */
export const EN: SentimentLanguage = {
  code: "en",
  common: "the,a,an,i,you,we,it,is,are,was,to,of,and,that,this,my,your,for,on,in,have,do,don,m,s,re,ve,be,with,at,what",
  negations: "not,no,never,don t,didn t,doesn t,isn t,wasn t,aren t,won t,can t,hardly,without,nothing,cannot",
  furious:
    "fuck*,bullshit,piss off,pissed off,pissed,you idiot*,you moron*,shut up,go to hell,how dare you,damn you,goddamn*,sick of,sick and tired of,fed up,i will sue,i ll sue,sue you,are you kidding me,are you stupid,are you deaf,outrageous,outrage,furious,livid,asshole*,arsehole*,bastard*,scammers,you lied,you are lying,you re lying,you keep lying,stop lying,screw you,bloody hell,bloody useless,what the hell,what is wrong with you,what s wrong with you,disgrace,disgraceful,i m angry,i am angry,so angry,really angry,very angry,makes me angry,had enough,wasting my time,waste of my time,enough is enough,how many times do i have to,how many times have i,for the last time,hate you,hate your,absolutely ridiculous,completely unacceptable,totally unacceptable,drives me mad,driving me mad,driving me crazy,get lost,losing my patience,lost my patience,out of my mind with,leave me the hell alone,son of a bitch,bitch",
  angry:
    "ridiculous,unacceptable,disgust*,angry,annoy*,appalling,pathetic,scam,liar*,lies,idiot*,moron*,stupid,nonsense,rubbish,harass*,rude,incompetent*,useless,shameful,a joke,terrible,horrible,awful,worst,hate,crap,damn,wtf,insult*,absurd,infuriat*,mad at,you people,shame on",
  bad: "disappoint*,unhappy,upset,frustrat*,bad,complain*,complaint*,worried,poor,confus*,sad,waste,too expensive,never again,makes no sense,dissatisf*,unpleasant,tired of,bother*,let down,not good enough,don t like,do not like,didn t like,trouble,not happy,wrong",
  good: "good,nice,great,happy,glad,helpful,kind of you,very kind,so kind,appreciate*,pleased,pleasure,sounds good,works for me,lovely,love,like it,like that,thank you so much,thank you very much,thanks a lot,thanks so much,well done,enjoy*,looking forward,friendly,convenient,cool",
  great: "wonderful,excellent,perfect,brilliant,fantastic,amazing,awesome,delighted,thrilled,superb,terrific,love it",
  plain:
    "good morning,good afternoon,good evening,good day,good night,good bye,no problem,no worries,no trouble,not bad,never mind,i would love to but,would you be so kind,not at all,wrong number,a good time,what s wrong with the,nothing wrong,great britain,too bad,no rush,bad time,good time,sad to say,i d like,would like,sick,good for you,my pleasure,poor connection,bad line,bad connection,bad signal,bad reception",
};
