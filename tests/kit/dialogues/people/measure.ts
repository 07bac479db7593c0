/**
 * Measures the scripted model on a JSONL file of people, or the opt-out guard on one of sentences
 * (`{"text","language","kind":"OPT_OUT"|"NOT"}`), and prints what went wrong:
 *
 *     node tests/kit/dialogues/people/measure.ts FILE
 */
import type { Person } from "./person.ts";
import { isListed, measurePeople, readRows, type Wish } from "./shares.ts";

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Name a JSONL file of people or of sentences.");
const rows = readRows<Person | Wish>(file);
if (rows.every((row) => "text" in row)) await measureWishes(rows as Wish[]);
else await measureAll(rows as Person[]);

async function measureAll(people: Person[]): Promise<void> {
  const { held, shares } = await measurePeople(people);
  for (const [i, { faults, wrong, needless, fields, outcome, isLoop }] of held.entries()) {
    const person = people[i] as Person;
    if (outcome !== person.expectedOutcome) print(`${person.id} ends ${outcome}, not ${person.expectedOutcome}`);
    if (isLoop) print(`${person.id} goes round in circles`);
    for (const name of new Set([...faults, ...needless])) {
      const said = person.answers.filter(({ to }) => to === name).map(({ say }) => say);
      const marks = [wrong.includes(name) ? "WRONG" : "", needless.includes(name) ? "ASKED AGAIN" : ""];
      print(`${person.id} ${name}: ${JSON.stringify(fields[name])}, not ${JSON.stringify(person.expected[name])}`);
      print(`    ${marks.join(" ").trim()} ${said.join(" | ")}`);
    }
  }
  const percent = (share: number): string => `${share.toFixed(1)} %`;
  print(
    `${people.length} people: right ${percent(shares.right)}, wrong ${percent(shares.wrong)}, ` +
      `asked again ${percent(shares.needless)}, loops ${shares.loops}`,
  );
}

async function measureWishes(wishes: Wish[]): Promise<void> {
  let caught = 0;
  let listed = 0;
  for (const wish of wishes) {
    const isOut = await isListed(wish);
    if (isOut === (wish.kind === "NOT")) print(`${isOut ? "LISTED" : "MISSED"} ${wish.language} ${wish.text}`);
    if (isOut && wish.kind === "OPT_OUT") caught++;
    if (isOut && wish.kind === "NOT") listed++;
  }
  const optOuts = wishes.filter(({ kind }) => kind === "OPT_OUT").length;
  print(`opt-outs caught: ${caught} of ${optOuts}; look-alikes listed: ${listed} of ${wishes.length - optOuts}`);
}
