import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const CALL =
  "(?:call|ring|phone|telephone|contact|text|txt|message|msg|sms|e ?mail|write to|bother|disturb|harass|pester|bug|spam|dial|reach out(?: to)?|get (?:back )?in touch(?: with)?|hound|badger|hassle|solicit)";
const CALLING =
  "(?:call(?:ing)?s?|ringing|phoning|telephoning|contact(?:ing)?|text(?:ing)?s?|txting|messag(?:ing|es)|e ?mail(?:ing|s)?|writing(?: to)?|bothering|disturbing|harassing|harassment|pestering|bugging|spam(?:ming)?|dial+ing|soliciting|blowing up|hounding|badgering|hassling|sending (?:me|us|these|those|messages|texts|e ?mails|sms)|reaching out|all (?:calls|contact|communications?|messages))";
const CALLS =
  "(?:(?:phone |sales |marketing |robo ?)?calls?|texts?|text messages?|messages?|msgs?|sms|e ?mails?|contact|communications?|robocalls?|solicitations?)";
const CALLED =
  "(?:call(?:ed)|rung|phoned|telephoned|contacted|texted|messaged|e ?mailed|bothered|disturbed|harassed|solicited)";
const ME =
  "(?:me|us|my (?:\\w+ s )?(?:phone|number|house|home|cell|mobile|family)|this (?:phone )?(?:number|phone|house|line)|that number|here|our (?:house|home|number))";
const AGAIN = "(?:a ?gain|any ?more|ever|back|any longer)";
const NOT =
  "(?:don ?t|do not|never|(?:could|can|would) you (?:please |kindly )?not|not to|to not|to never|no one should|nobody should|not allowed to|not supposed to|not permitted to)";
const NOT_WANT =
  "(?:(?:don ?t|do not|doesn ?t|does not|no longer|never|not|didn ?t) (?:want|wish|care for|need|consent|agree|like to|like getting|like receiving)|(?:not|no longer) interested in|rather not)";
const DIAL = `(?:${CALL}|calling|contacting|texting|ringing|phoning|messaging|writing to|getting in touch)`;
const KIN =
  "my (?:wife|husband|partner|son|daughter|kids?|mother|mum|mom|father|dad|parents|brother|sister|friend|neighbou?r|boss|colleague|flatmate|roommate)";
const LIST = "(?:lists?|data ?base|systems?|records?|files?|books|directory|phone ?book|mailing|contacts|distribution)";
const SELF =
  "(?:me|us|(?:my|our|this|the) (?:(?:phone|cell|mobile|contact) )?(?:number|name|details|data|info|information|phone|contact))";
const END =
  "(?= *(?:(?:please|pls|thanks?|thank you|ok|okay)? *(?:$|[.,!?])|now|and|or|because|guys|immediately|right away|at once|at all|for good|period|is that))";

/** English. */
export const EN: OptOutLanguage = {
  code: "en",
  cues: "call ring rung phon tele cont text txt mess msg sms mail emai e writ both dist hara pest bug spam dial reac soli stop quit ceas refr desi cut no enou sick tire fed remo dele eras lose unsu opt dnc take get revo with resc canc perm cons leav let wish hear list subs lawy atto ftc fcc data gdpr scam anno nuis piss bugg go repo sue poli neve f robo many prot off drop stri scra cros wipe pull scru purg taki gett obje righ forg syst reco file touc hass houn badg forb proh last had bloc exis vani disa",
  plain: [
    `(?:stop|quit|cease|refrain from|desist from|cut out|no more|enough)(?: with| of)?(?: the| these| your| those)? ${CALLING}`,
    `(?:if you|you d|you|prefer you|wish you) stopped ${CALLING}`,
    `${NOT_WANT}(?: to)?(?: be| get| being| getting) ${CALLED}(?! (?:sir|madam|ma am|mister|miss|mrs|mr|bob|that|names))`,
    `${NOT_WANT}(?: to)?(?: (?:receive|get|have|be getting|receiving|getting))?(?: (?:any|more|anymore|these|your|those|further|of|such|another|to))* ${CALLS}`,
    `(?:don ?t|do not|never|no longer) (?:want|wish|need) (?:to (?:receive|get|have) )?(?:a|another|any) ${CALLS}(?: from you)?(?: ${AGAIN})+`,
    `${NOT_WANT} to hear (?:anything )?(?:(?:more|else) )?from (?:you|any of you|your (?:company|firm|business|people|lot|office|team|organi[sz]ation)|this company)`,
    `${NOT_WANT} (?:you|anyone|anybody|anyone else|your company|you people|you guys|people)(?: ever)?(?: to)? (?:${CALL}|calling|contacting|texting)(?: ${ME})?(?: ${AGAIN}|${END})`,
    `(?:nobody|no one)(?: \\w+)? wants (?:your|these|any) ${CALLS}`,
    `(?:tak(?:e|en|ing)|remov(?:e|ed|ing)|delet(?:e|ed|ing)|get(?:ting)?|eras(?:e|ed|ing)|drop(?:ping)?|strik(?:e|ing)|scratch|cross(?:ing)?|wip(?:e|ing)|pull(?:ing)?|scrub(?:bing)?|purg(?:e|ing))(?: ${SELF})? (?:off|from|out of|out|off of)(?: \\w+){0,3} ${LIST}(?! of)`,
    `(?:remove|delete|erase|wipe) ${SELF}${END}`,
    `take ${SELF} off(?:${END}|(?= (?:would|will|could) you *(?:$|[.,!?])))`,
    `${NOT_WANT} to be (?:on|in) (?:your|any|this)(?: \\w+){0,2} ${LIST}`,
    `not to (?:receive|get)(?: (?:any|these|your|such|more|further))* ${CALLS}`,
    "lose (?:my|this) (?:phone )?number",
    `unsubscribe(?: me| us| this number)?${END}`,
    "(?:want|like|wish|need) to (?:unsubscribe|opt out)",
    "opt(?:ing)? (?:me |us )?out(?! of (?:the|a|that|this))|optout|opted out",
    `(?<!${KIN}(?: s| is| was| are) )(?:on|to|put|add|in) (?:\\w+ ){0,4}(?:do not call|dnc|no call)(?: list| registry| register)?`,
    "(?:revok\\w+|withdraw\\w*|rescind\\w*|cancel\\w*|take back) (?:my|all|any|our)(?: \\w+)? (?:consent|permission|authori[sz]ation)",
    `(?:don ?t|do not|didn ?t|did not|no longer|never|not) (?:have|had|gave|give|given)(?: you)?(?: my| our| any)? (?:permission|consent)(?: to ${CALL})?`,
    "leave (?:me|us|my family) (?:alone|in peace)|let me be(?= *(?:$|[.,!?]))",
    `(?:make sure|ensure|see to it|confirm|promise|guarantee|assure me)(?: me)?(?: that)? (?:nobody|no one|(?:you|they)(?: (?:don ?t|do not|won ?t|will not|will never|never)))(?: (?:from|at|in) (?:your|the|this)(?: \\w+){1,2})?(?: ever)? (?:${CALL}|calls|phones|rings|contacts|texts|messages)(?: ${ME}(?: ${AGAIN}|${END})| ${AGAIN}|${END})`,
    `(?<!(?:don ?t|do not|no|not|never) )object to (?:\\w+ ){0,6}(?:marketing|advertising|solicitation|${CALLS}|being ${CALLED})`,
    `no more (?:\\w+ ){0,3}${CALLING} (?:me|us)`,
    `(?:forbid|prohibit) (?:you|anyone|your \\w+)(?: to| from)? (?:ever )?(?:${CALL}|${CALLING})`,
    `want out of (?:these|your|this|all)(?: \\w+)? (?:${CALLS}|${LIST})`,
    `i(?: ha)?ve (?:already )?(?:asked|told) you (?:\\w+ )?to stop`,
    `(?:prefer|rather|like|wish)(?: \\w+)? not to (?:get|receive|have)(?: (?:any|more|of|these|those|your|such|further))* ${CALLS}`,
  ],
  forbidding: [
    `(?:wish|request|desire|prefer|ask|want|like|choose) not to be(?: \\w+)? ${CALLED}`,
    `(?:if|rather|wish|hope|prefer) you (?:wouldn ?t|would not|didn ?t|did not|don ?t|won ?t) ${DIAL}(?: ${ME})* ${AGAIN}`,
    `${NOT}(?: (?:ever|please|you|even|dare|keep|bother(?: to)?))* ${DIAL}(?: ${ME})*(?: (?:please|ever))?(?: ${AGAIN})`,
    `${NOT}(?: (?:ever|please|even|dare|keep|bother(?: to)?))* ${DIAL} ${ME}(?: ${AGAIN}|${END})`,
  ],
  innocent: [
    "call(?:ing|ed)? (?:me|us|him|her|it) (?:by(?: \\w+){1,3}|mister|mr|mrs|miss|ms|sir|madam|ma am|names|sweetie|sweetheart|honey|dear|darling|love|buddy|dude|that|an? \\w+)",
    "(?:won ?t|wouldn ?t|doesn ?t|don ?t|never) (?:ever )?leave (?:me|us) alone",
    "(?:never|don ?t|do not|didn ?t|did not|won ?t|not|to not)(?: \\w+){0,2} (?:stop|quit)(?: \\w+)?",
    "(?:why|when) (?:did|do|have|would) you (?:stop|quit)(?: \\w+)?",
    "(?:didn ?t|did not|never|don ?t) (?:say|said|tell|told|mean)(?: you)?(?: to)? (?:stop|don ?t|not)(?: \\w+){0,3}",
    "(?:my|the|a|her|his)(?: \\w+){1,2} (?:told|asked|tells|said|says)(?: to)? (?!you)[^.!?]*",
    "(?:he|she|they|doctor|boss) (?:told|asked|says|said)(?: to)? (?!you)[^.!?]*",
    `i(?: ve| have)? (?:told|asked|tell|ask) ${KIN}(?: not)? to [^.,!?]*?(?= but| so| and| anyway|[.,!?]|$)`,
    "(?:don ?t|do not|did you|didn ?t|never) (?:\\w+ )?lose (?:my|this)(?: \\w+)? number",
    "(?:i was|we were|i ve been) told[^.!?]*",
    "we stop \\w+",
    "do i (?:have|need) to (?:unsubscribe|opt out|stop)",
    "(?<!not to )(?:got|had|get|receive|received|were|was|there)(?:n ?t)? (?:no|any) more(?: \\w+)?",
    "(?:wait(?:ing)?|guest|shopping|wish|price|to do|task) ?list",
    "no one called|nobody called",
    "(?:want|wish|like|need|have) to (?:call|text|message|contact|e ?mail) (?:you|him|her|them|my|the|back|again)",
    "(?:do not|don ?t) call (?:list )?(?:is|means)",
  ],
  keeps: [
    "(?:don ?t|do not|didn ?t|did not|never) (?:want|need|wish|ask|asked|tell|told|say)(?: (?:for )?(?:you|them|anyone|it|the calls|your calls))?(?: guys| people)?(?: to)? (?:stop(?:ped)?|quit)(?: \\w+){0,3}",
    `(?<=^|[.,!?] |no |please )(?:please )?(?:don ?t|do not) (?:stop|quit|take|remove|delete|erase)(?: ${CALLING}| ${SELF})*(?: (?:off|from|of|the|your|that|any|calling|my)){0,3}(?: ${LIST})?`,
  ],
  limits:
    "before|after|until|till|unless|while|during|between|today|tonight|tomorrow|this (?:morning|afternoon|evening|week|month)|at (?:work|home|night|noon|lunch|the office|my|\\d+|\\w+ (?:o clock|a m|p m|in the))|on (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:the )?weekends?|my|the|that)|in the (?:morning|afternoon|evening|middle)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|so (?:early|late|often)|too (?:early|late)|if|when|first|instead|names|from (?:that|this|the|a) (?:number|line|phone)|about|regarding|for (?:the|a|this|now)|past|from (?:\\d|nine|eight|ten)",
  instead:
    "(?:call|text|ring|phone|use|try|e ?mail|write|message) (?:me |us )?(?:my|the|on|at|by|instead|later|tomorrow|after|next|via|through|this)|(?:i ll|i will|let me|i d rather) (?:call|ring|phone|text)(?! (?:my (?:lawyer|attorney)|the (?:police|cops)))|(?:but|just) (?:text|e ?mail|call|keep|yes|write|message)|only (?:by|text|e ?mail|call|between|after|on)|(?:text|e ?mail|write) me|contact me",
  bare: "stop|stop it|stop now|stop this|stop that|stop all|stopall|stop calling|remove|remove me|opt out|unsubscribe|quit it|leave me|don ?t call|do not call|dont call(?: me)?|no calls|no texts|no messages|i said stop|you (?:need|have) to stop|i (?:d|would) like you to stop|not interested stop|no contact",
  polite: "please|pls|plz|yes|yeah|ok|okay|just|no|hey|hello|now|thanks|thank you|you|oh|god|hi|sorry",
  keywords: "stop stopall unsubscribe cancel end quit revoke optout remove",
  yes: "i (?:just |already |ve |have )*(?:told you|said so|said that|said it)(?: already)?|yes|yeah|yep|yup|sure|please do|of course|absolutely|definitely|correct|right|exactly|uh huh|mm hm+|mhm|i do|ok|okay|please|that s right|do that",
  no: "no|nope|nah|not|don ?t|uh uh|never|keep|it s fine|it s ok(?:ay)?|didn ?t|go ahead|go on|continue",
  phrases: {
    ask: "Just to be sure: do you want us to stop calling and writing to you?",
    done: "Your number is on our do-not-call list now. Goodbye.",
    noted: "I will pass on that you do not want to be called again. Goodbye.",
  },
};
