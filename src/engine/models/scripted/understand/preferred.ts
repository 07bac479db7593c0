import { toTokens, wholeWords } from "#src/engine/models/scripted/words.ts";

/** Words before a wish that add nothing to it: "ideally", "am liebsten". */
const LEAD =
  /^(?:(?:(?:well|oh|um+|also|na ja|pues|bueno|alors|ben|jo|nå),?\s+)*(?:ideally|preferably|hopefully|possibly|maybe|probably|if possible|i'd (?:like|prefer|love|say|go (?:with|for))|i (?:like|want|usually (?:see|go to|have))|give me|let's (?:say|do|go with)|put(?: me)?(?: down)?(?: with| for)?|with|am (?:liebsten|besten)|(?:wenn möglich|vielleicht|gern(?:e)?|bevorzugt|vorzugsweise|lieber|am ehesten),?(?: (?:bei|zu|von|mit))?|ich (?:hätte|möchte|nehme) (?:gern(?:e)? )?|bei|mit|zur?|(?:preferiblemente|si puede ser|a ser posible|quizás?|mejor|me gustaría|prefiero|quiero|quisiera)(?:,)?(?: con| a)?|con|(?:de préférence|si possible|idéalement|plutôt|peut-être|j'aimerais(?: bien)?|je (?:voudrais|préfère|préférerais|prendrais))(?:,)?(?: avec| chez)?|avec|chez|(?:helst|gärna|kanske|om möjligt|jag (?:vill ha|föredrar|skulle vilja ha|tar))(?:,)?(?: hos| med| till)?|hos|med))\s+(?=\S)/iu;
/** A condition, or a courtesy, behind a wish: "if he's in". */
const CONDITION = wholeWords(
  "(?:if|when|provided|as long as|assuming|unless) (?:s?he|it|they|you|that|there|possible|available|i|we)[^.;]*|if possible|when possible|(?:wenn|falls|sofern) [^.;]*|wenn möglich|(?:si (?:está|es|puede|no|hay|tiene|queda)[^.;]*)|si (?:puede ser|es posible)|(?:s'il|s'ils|si elle|si vous|si c'est|si possible|si ça)[^.;]*|(?:om (?:han|hon|det|den|ni|du|möjligt))[^.;]*|please|bitte|por favor|s'il vous plaît|tack|thanks?(?: you)?|danke|gracias|merci",
);
const MAX_WISH_WORDS = 5;

/** Returns what somebody wishes without the words around it: "Tony" for "ideally Tony, if he's in". */
export function barePreference(text: string): string {
  const bare = text
    .replace(CONDITION, "")
    .replace(/[\s,.;!]+$/, "")
    .replace(LEAD, "");
  return bare !== "" && toTokens(bare).length <= MAX_WISH_WORDS ? bare : text;
}
