import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { toNumbers, wholeWords } from "#src/engine/models/scripted/words.ts";

const KIND =
  "(?:an? |the |some |your )?(?:real |actual |live )?(?:human|person|someone|somebody|agent|representative|operator|manager)";

/** English. */
export const EN: Lexicon = {
  code: "en",
  phrases: {
    opening: "Hello, {self}",
    selfWithCompany: "this is the automated assistant of {company}.",
    self: "this is an automated assistant.",
    topic: "The call is about: {topic}.",
    acknowledgements: ["Thank you.", "Got it.", "All right."],
    corrected: "Thank you, I have changed that.",
    notUnderstood: "Sorry, I did not get that.",
    yesOrNo: "Yes or no: {label}?",
    tellMe: "Could you tell me {label}?",
    whichOf: "Which of these: {choices}?",
    or: " or ",
    asDate: ", as a date",
    asTime: ", as a time of day",
    asNumber: ", as a number",
    asEmail: ", as an e-mail address",
    fromTo: ", from {from} to {to}",
    source: "I cannot see where your number comes from, but my colleagues can tell you.",
    oneLeft: "It is only one more question.",
    someLeft: "It is only {count} more questions.",
    cannotAnswer: "I am sorry, I cannot answer that.",
    takeYourTime: "Of course, take your time.",
    wrongPerson: "I am sorry for the mistake. Goodbye.",
    callback: "Of course. I will pass on when you would like to be called. Goodbye.",
    human:
      "I understand. I will pass on to my colleagues that you would like to speak to a person, and they will call you back. Goodbye.",
    humanAsked:
      "Of course. I have asked a colleague to take over this chat. They will answer here as soon as one of them is free.",
    transfer: "Of course, I will connect you with a colleague.",
    transferFailed: "I am sorry, I cannot reach anybody now. I will pass it on to my colleagues. Goodbye.",
    optOut: "Of course.",
    optedOut: "Your number is on our do-not-call list now. Goodbye.",
    optOutNoted: "I will pass on that you do not want to be called again. Goodbye.",
    declined: "I understand. Thank you for your time. Goodbye.",
    goodbye: "That was all. Thank you for your time, and goodbye.",
    chatAnswer: "Thank you, I have noted that. Is there anything else you would like to say?",
    chatGoodbye: "Thank you for your time, and goodbye.",
    offerCallback: "I am sorry, I do not know that. Would you like a colleague to call you back about it?",
    questionNoted: "I do not know that, but I will pass your question on to my colleagues.",
    anythingElse: "Can I help you with anything else?",
    callbackWhen: "On which day and at what time should we call you?",
    callbackSet: "All right, we will call you then.",
    callbackFailed: "I am sorry, I cannot arrange that time. I will pass on when you would like to be called.",
    callbackNoted: "I will pass that on.",
    toolFailed: "I am sorry, that did not work. I will pass it on to my colleagues.",
    toolStarted: "I will tell you as soon as I know more.",
    isThatRight: "Just to be sure: did I get that right?",
    readBack: "Let me check: {values}. Is that right?",
    whatIsWrong: "I am sorry. What should I change?",
    yesWord: "yes",
    noWord: "no",
    andTime: "And at what time?",
    andDay: "And on which day?",
    goodbyeWord: "Goodbye.",
  },
  commonWords:
    "is are this and what do have how can my for to of it on at that was not me with be they an by call back",
  tellingWords: "the you your hello please thank thanks would yes who why who's what's don't i'm i i'd it's",
  intents: {
    WRONG_PERSON: wholeWords(
      "wrong (?:number|person)|(?:you(?: ha|')ve )?mis-?dial+ed|(?:no one|nobody|no ?body)(?: here)? (?:by|with|of|called|named)|there(?: i|')s no \\w+ here|" +
        "(?:he|she|they) (?:does not|doesn't|don't|do not) live here|i(?: a|')m not (?:him|her|that person|the person)",
    ),
    ROBOT: wholeWords(
      "(?:are you|is this) (?:really )?(?:an? )?(?:real |actual )?(?:robot|bot|machine|computer|human|person|ai|recording|automated)|" +
        "am i (?:talking|speaking) (?:to|with) (?:an? )?(?:real )?(?:robot|bot|machine|computer|human|person|ai)",
    ),
    HUMAN: wholeWords(
      `(?:speak|talk|chat) (?:to|with) ${KIND}|(?:want|need|get me|give me|transfer me to|connect me (?:to|with)|put me through to) ${KIND}|human being|^(?:an? )?(?:representative|operator|agent|human)(?:,? please)?[.!]?$`,
    ),
    SCREENING: wholeWords(
      "call screening|screening (?:service|this|your)|(?:state|say|record|leave|give|tell me) (?:me )?your name,? and|who is calling and why|" +
        "reason for (?:your|the|this) call(?:ing)?|why you(?: a|')re calling",
    ),
    CALLBACK: wholeWords(
      "call (?:me )?back|(?:call|ring|phone|try) me (?:again )?(?:back |again )?(?:later|tomorrow|tonight|another|some other|in|next|on|at|after|this)|(?:ring|phone) me back|call (?:again )?later|" +
        "(?:not|isn't) a good (?:time|moment)|bad (?:time|moment)|(?:can't|cannot|can not) (?:talk|speak)|i(?: a|')m (?:busy|driving|in a meeting|at work)|try (?:me )?again (?:later|tomorrow|tonight|in|at|next|this|after)|(?:can|could) you (?:call|ring|phone|try)(?: me)?(?: back| again)? (?:later|tomorrow|tonight|in|at|next|after|this|another)|(?:an|some )?other time|bad time|catch me (?:at a bad|later)|try me (?:after|before|at|on|tomorrow|later|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next)|(?:he|she)(?: i|')s (?:not (?:here|home|in|at home|available)|at work|out)|(?:he|she) isn't (?:here|home|in|available)",
    ),
    WHO: wholeWords(
      "who(?: i|')s (?:this|that|it|there|calling|speaking)|who are you|who am i (?:speaking|talking)|what(?: i|')s your name|which company|what company|who do you (?:work|call)|where are you calling from|is this (?:an? |some )?(?:scam|spam|joke|prank|for real|legit|real)",
    ),
    WHY: wholeWords(
      "why (?:are|do|did) you (?:call|ring)\\w*|what(?: i|')s (?:this|it|the call) (?:all )?(?:about|regarding|concerning|for)|what is it about|what do you want|what(?: i|')s the (?:reason|purpose)",
    ),
    SOURCE: wholeWords(
      "(?:get|got|have|find|found|give you|gave you) (?:my|this) (?:phone )?number|where did you get my",
    ),
    HOW_LONG: wholeWords(
      "how long (?:(?:will|does|would|is) (?:this|it|that|the (?:call|survey|talk))|do you need)|how many (?:more )?questions|take (?:very )?long|how much longer",
    ),
    HOLD: wholeWords(
      "(?:hold|stay|remain) on(?: the line)?|(?:please )?hold the line|please hold|(?:one|just a|a) (?:moment|second|minute|sec)(?: please)?|hang on|give me a (?:second|minute|moment)|" +
        "(?:thank you|thanks) for (?:waiting|holding)|let me (?:check|look|see)|i have to look that up|connecting you",
    ),
    REPEAT: wholeWords(
      "repeat|say (?:that|it) again|once more|come again|what was (?:that|the question)|(?:didn't|did not|couldn't|could not|can't|cannot) (?:hear|catch|understand|get)(?: you| that| it)?|" +
        "speak up|what did you say|(?:more slowly|slower)(?: please)?|slow down",
    ),
    GO_ON: wholeWords("go on(?! then)|go ahead(?! then)|continue|carry on"),
    DONT_KNOW: wholeWords(
      "(?:don't|do not|dunno)(?: really)? (?:know|remember)|no idea|not sure|(?:can't|cannot) (?:say(?! (?:that )?(?:i|we) )|tell|remember)|(?:rather|prefer) not(?: to)?(?: (?:say|tell|answer|give|share|go into)(?: (?:it|that|you))?)|(?:rather|prefer) not to|(?:don't|do not|won't) want to (?:say|answer|tell|give)|" +
        "none of your business|n/a|not applicable|doesn't apply|(?:don't|do not) have (?:it|that|this|the number)(?: on me| to hand| with me| here| handy)?(?:,? sorry)?|(?:can't|cannot) (?:recall|think of)|couldn't (?:say|tell you)|haven't (?:got )?(?:a clue|the faintest)|beats me|pass|not (?:telling|saying)|keep that to myself|(?:rather|prefer to) keep that|don't (?:feel comfortable|like to say)|private|skip|next question|no comment|can't decide|haven't decided",
    ),
    NOT_INTERESTED: wholeWords(
      "not (?:really |at all )?interested|no interest|leave me alone|don't need anything|don't (?:do|like|answer|take part in) (?:surveys|polls|questionnaires|these things|this sort of thing)|not (?:for me|today),? (?:thanks|thank you)|no time for (?:this|that|surveys)|don't want to (?:take part|participate|do (?:this|a survey|the survey|any survey))|count me out",
    ),
    GOODBYE: wholeWords("good ?bye|bye(?: bye)?|(?:have|got|gotta) to go|gotta go"),
  },
  yes: wholeWords(
    "yes|yeah|yep|yup|ya|sure|certainly|of course|absolutely|definitely|correct|right|exactly|indeed|ok|okay|fine|sounds good|that works|that's good|works for me|please do|i think so|" +
      "i guess so|i believe so|you bet|count me in|wouldn't miss|why wouldn't|see you (?:then|there)|looking forward|gladly|happy to|affirmative|no problem|not a problem|no worries|why not|uh-?huh|mhm|true|don't mind|can't wait",
  ),
  weakYes: wholeWords(
    "i am|i do|i will|i'll|i would|i can|i have|i did|i was|it is|we are|we will|we do|he is|she is|works|agree|agreed|good",
  ),
  no: wholeWords(
    "no|nope|nah|never|not|don't|doesn't|didn't|can't|cannot|won't|isn't|aren't|wasn't|wouldn't|couldn't|haven't|negative|unfortunately|decline|of course not|certainly not|absolutely not|" +
      "sadly|have to cancel|need to cancel|something came up|definitely not|not really|not at all|not correct|not right|i don't think so|i think not|i(?: a|')m afraid not",
  ),
  explicitCorrection: wholeWords(
    "i meant(?: to say)?|i made a mistake|i got (?:that|it) wrong|go back a (?:second|step|moment)|i said that wrong|i said(?: it)?|correction|that(?:'s| is| was) (?:wrong|not right|not what i said)|let me correct (?:that|myself)|change (?:that|it)(?: to)?|(?<!(?:can't|cannot|not|to|i'll|i|will|could|you|can) )make (?:that|it)(?= \\S)(?! (?:to|there)\\b)",
  ),
  weakCorrection: wholeWords("actually|wait|sorry|rather|i mean|no"),
  quantities: [
    [wholeWords("half a dozen"), 6],
    [wholeWords("(?:a|one) dozen"), 12],
    [
      wholeWords("(?:just|only) (?:me|myself)|by myself|on my own|alone|(?:nobody|no one) (?:but|except|else but) me"),
      1,
    ],
    [
      wholeWords(
        "me and my \\p{L}{1,30}|my \\p{L}{1,30} and (?:me|i|myself)|(?:both|the pair) of us|with my (?:wife|husband|partner)",
      ),
      2,
    ],
    [wholeWords("a (?:couple|pair)(?! (?:of )?(?:hundred|thousand))"), 2],
  ],
  mePlus: wholeWords(
    "(?:me|myself|i) (?:and|plus|with) (\\p{L}{1,20}) (?:others?|more|kids?|children|friends?|guests?|people)",
  ),
  cents: wholeWords("(?:and )?(\\S{1,30}) (?:cents?|pence)"),
  twice: ["double"],
  thrice: ["triple", "treble"],
  phoneWords: { oh: "0", o: "0", nought: "0", plus: "+" },
  weekLater: wholeWords(
    "(?:a week from|a week on|week after) (?:next )?\\p{L}{1,30}day|\\p{L}{1,30}day (?:week|after(?: that| next)?)",
  ),
  nextWeek: wholeWords("next week"),
  places: {},
  lastOne: wholeWords("last"),
  holidays: [
    [wholeWords("christmas eve"), "12-24"],
    [wholeWords("christmas(?: day)?"), "12-25"],
    [wholeWords("boxing day"), "12-26"],
    [wholeWords("new year(?:'?s)? eve"), "12-31"],
    [wholeWords("new year(?:'?s)?(?: day)?"), "01-01"],
  ],
  evening: wholeWords("evening|tonight|at night"),
  nothing:
    /^(?:(?:none of (?:those|these|them|the above)|neither|no|nope|nah|none|nothing|nothing (?:comes|springs) to mind|can't think of anything|nothing (?:really|at all|in particular|i can think of)|nothing to add|i've nothing to add|not really|no thank you|thank you|thanks|that's (?:all|it|everything)|that is all|(?:nothing|not|none) (?:else|more|to add|that i know of|that i can think of|i can think of|special)|not (?:that i know of|right now)|i'm (?:good|fine)|i think|everything(?: is|'s) fine|i have nothing to add)(?:[\s,.!;-]+|$))+$/i,
  negators: wholeWords(
    "not|no|(?:any|every)(?:thing| \\p{L}+) (?:but|except)|never|scratch|can't|cannot|don't|doesn't|isn't|won't",
  ),
  denials: /(?:not|no|isn't)$/,
  butRather: wholeWords("(?<!(?:any|every)(?:thing | \\p{L}+ )|nobody |all )but|rather|instead|so|then"),
  all: wholeWords("all(?: of (?:them|those|these|it))?|everything|every one|the lot"),
  except: wholeWords(
    "(?:all|everything|anything) (?:but|except(?: for)?|apart from)|every \\p{L}+ (?:but|except)|except(?: for)?|apart from|without",
  ),
  questionStart: wholeWords(
    "(?:what|where|when|who|whom|whose|why|how|which)(?:'s|'re)? \\p{L}{1,30}|(?:is|are|was|were|do|does|did|can|could|will|would|should|have|has|may|am) (?:you|your|it|there|i|we|they|he|she|the|this|that|my|anyone|somebody|someone|parking) \\p{L}{1,30}|(?:can|could|would) you tell me|do you know|i(?:'d like| want| would like) to know|i(?:'m| was) wondering",
  ),
  questionLead:
    /^(?:(?:and|but|so|well|okay|ok|sorry|hey|oh|um|uh|by the way|quick question|one question|one more thing|first|before (?:that|i answer)|tell me|please)[,:.]?\s+)+/i,
  proposal: wholeWords(
    "(?:how|what) about|(?:can|could|may|shall|should) (?:we|i)|(?:can|could|would|will) you (?:please |maybe |possibly )?(?:make|do|come|call|book|put|move|change|deliver|bring|send|fit|squeeze|get|have|pick|schedule|reschedule)|(?:is|any) (?:there )?(?:any )?chance|would it be possible|do you think (?:i|we|you) could|i was wondering if|let's|do you (?:have|take|accept)|would .{1,40} (?:work|be (?:okay|ok|possible|fine))|is .{1,40} (?:okay|ok|possible|free|good|fine|available|all right|alright)",
  ),
  anyTime: wholeWords("any ?time|whenever|any (?:day|moment)|doesn't matter|don't mind|don't care|up to you"),
  later: wholeWords("later"),
  tomorrow: "tomorrow",
  speaks: wholeWords("speak|talk|understand|in"),
  amBack: /^(?:(?:okay,? |ok,? |so,? |right,? )?(?:i'm|i am) back(?: now)?)[.! ]*$/i,
  stillThere: wholeWords("still there"),
  hereIAm:
    /^(?:yes|yeah|hello|hi|i'm here|i am here|still here|yes,? (?:i'm|i am)(?: still)? here|yes,? (?:hello|still here))[.!?]*$/i,
  asksIdentity: wholeWords("speaking (?:to|with)|talking (?:to|with)|is this|am i|are you"),
  asksForTime: wholeWords("good time|a moment|a minute|minutes|time to talk|bad time|quick question"),
  leadIn:
    /^(?:(?:well|um|uh|so|oh|fine|all right|alright|okay|ok|yes|yeah|sure|and)[,.]?\s+)*(?:my (?:full |first |last )?(?:name|answer|number|address|e-?mail)(?: address)? is|that would be|it would be|it(?:'s| is)|i(?:'m| am) called|i(?:'m| am)|this is|the answer is|i(?:'d| would) say|i think)\s+/i,
  numbers: toNumbers(
    "zero=0 none=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 " +
      "twelve=12 thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 " +
      "twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 hundred=100 " +
      "thousand=1000 grand=1000 k=1000",
  ),
  numberJoiners: ["and"],
  compoundNumbers: false,
  unitsBeforeTens: false,
  decimalWords: ["point"],
  half: wholeWords("and a half"),
  minus: wholeWords("minus|negative"),
  thousandsSeparator: ",",
  weekdays: [
    "sundays?",
    "mondays?",
    "tues(?:days?)?",
    "wed(?:nesdays?)?",
    "thurs(?:days?)?",
    "fri(?:days?)?",
    "satur(?:days?)",
  ].map((day) => wholeWords(day)),
  months: [
    "january|jan",
    "february|feb",
    "march|mar",
    "april|apr",
    "may",
    "june|jun",
    "july|jul",
    "august|aug",
    "september|sept?",
    "october|oct",
    "november|nov",
    "december|dec",
  ].map((month) => wholeWords(month)),
  relativeDays: [
    [wholeWords("day after tomorrow"), 2],
    [wholeWords("(?<!from )tomorrow"), 1],
    [wholeWords("(?<!from )today|tonight|this (?:morning|afternoon|evening)"), 0],
    [wholeWords("day before yesterday"), -2],
    [wholeWords("yesterday|last night"), -1],
  ],
  inDays: wholeWords(
    "in ([^\\s-]{1,30}(?:[ -][^\\s-]{1,30})?) days?|([^\\s-]{1,30}(?:[ -][^\\s-]{1,30})?) days? from (?:now|today)",
  ),
  inWeeks: wholeWords(
    "in ([^\\s-]{1,30}(?:[ -][^\\s-]{1,30})?) weeks?|([^\\s-]{1,30}(?:[ -][^\\s-]{1,30})?) weeks? from (?:now|today)",
  ),
  dateFillers: ["of", "the", "on", "in"],
  dayOfMonth: "(?:on )?the {d}(?! o'clock)|\\d{1,2}(?:st|nd|rd|th)",
  ordinals: toNumbers(
    "first=1 second=2 third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 eleventh=11 " +
      "twelfth=12 thirteenth=13 fourteenth=14 fifteenth=15 sixteenth=16 seventeenth=17 eighteenth=18 " +
      "nineteenth=19 twentieth=20 thirtieth=30",
  ),
  clock: [
    ["half past {h}", 30],
    ["quarter past {h}", 15],
    ["quarter to {h}", -15],
    ["(?<!from )(?:twenty[ -]five|25) to {h}", -25],
    ["(?<!from )(?:twenty|20) to {h}", -20],
    ["(?<!from )(?:ten|10) to {h}", -10],
    ["(?<!from )(?:five|5) to {h}", -5],
    ["twenty[ -]five past {h}", 25],
    ["{m} (?:minutes )?past {h}", 1],
    ["half {h}", 30],
    ["{h} thirty", 30],
    ["{h} fifteen", 15],
    ["{h} forty-?five", 45],
    ["quarter of {h}", -15],
    ["{h}(?:am|pm)", 0],
    ["{h} {m}", 1],
    ["{h} (?:o'clock|am|pm|a\\.m\\.|p\\.m\\.|in the (?:morning|afternoon|evening))", 0],
    ["(?:at|around|about|by|after|before) {h}", 0],
  ],
  noon: wholeWords("noon(?:ish)?|midday"),
  midnight: wholeWords("midnight"),
  morning: wholeWords("(?:\\d{1,2})?am|a\\.m|mornings?|breakfast"),
  afternoon: wholeWords("(?:\\d{1,2})?pm|p\\.m|afternoons?|evenings?|tonight|at night|dinner|supper"),
  emailAt: wholeWords("at"),
  emailDot: wholeWords("dot|period|point"),
  and: wholeWords("and"),
  company:
    /\b(?:assistant|agent|receptionist|representative) (?:of|for|at|from|with) (?:the )?([\p{Lu}\p{N}][^.,;:\n]{1,60})/u,
};
