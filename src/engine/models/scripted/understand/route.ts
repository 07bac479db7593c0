import type { Field } from "#src/engine/models/scripted/fields.ts";

const FROM = "(?:from|out of|leaving|von|aus|ab|de|desde|depuis|från)";
const TO = "(?:to|into|nach|in|bis|a|hasta|à|au|vers|jusqu'à|till)";
const PLACE = "((?:the )?\\p{Lu}[\\p{L}'.-]*(?: (?:(?:de|del|la|le|sur|am|an der|upon|of) )?\\p{Lu}[\\p{L}'.-]*){0,3})";
const BOTH = new RegExp(`(?<!\\p{L})(?:${FROM} )?${PLACE} ${TO} ${PLACE}`, "iu");
const ONE = new RegExp(`^(?:.{0,40}?\\s)?(?:${FROM}|${TO}) ${PLACE}[.! ]*$`, "u");
const ASKS_FROM =
  /\bfrom\b|origin|depart|starting point|pick-?up (?:place|address|location)|\bvon\b|\baus\b|abfahrt|start|desde|\bde dónde|origen|salida|départ|d'où|från|avgång/i;
const ASKS_TO =
  /\bto\b|destination|arriv|drop-?off|\bnach\b|wohin|\bziel\b|hacia|adónde|a dónde|destino|llegada|arrivée|vers|\btill\b|vart|mål/i;

/** Returns the end of a route for which a field asks: "from Austin to Seattle", "we're moving to Portland". */
export function readRoute({ about, path }: Field, text: string): string | undefined {
  const words = `${about} ${path.join(" ")}`;
  const isFrom = ASKS_FROM.test(words);
  if (isFrom === ASKS_TO.test(words)) return undefined;
  const both = BOTH.exec(text);
  if (both && /^\p{Lu}/u.test(both[1] ?? "") && /^\p{Lu}/u.test(both[2] ?? "")) return isFrom ? both[1] : both[2];
  const one = ONE.exec(
    text.replace(/^(?:From|To|Von|Aus|Nach|De|Desde|Hasta|À|Från|Till)(?= )/u, (word) => word.toLowerCase()),
  );
  return one?.[1];
}
