import { writeFileSync } from "node:fs";
import { fold } from "#src/engine/opt-out/fold.ts";
import { judgeByPatterns } from "#src/engine/opt-out/judge.ts";
import { answerExpressionsOf, expressionsOf, scaleOf, WEIGHTS } from "#src/engine/opt-out/score.ts";
import { seededRandom } from "#src/workbench/simulations/rehearsal/population.ts";
import { digestOf, readSentences, type Sentence } from "./sentences.ts";

/** Rounds over all sentences, and the first step of a weight. */
const ROUNDS = 20;
const FIRST_STEP = 0.5;
/** Pull of each weight towards 0. */
const DECAY = 0.003;
/** Without a word that speaks for it, an utterance is no opt-out: there are fewer of them in calls than among the sentences. */
const BIAS = -5;
/** So much more does a sentence of ordinary talk count: nearly all that is said in calls is that. */
const ORDINARY_COUNTS = 3;
/** So much do sentences count for the answers to the question whether contact should end, beside real answers. */
const ANSWER_COUNTS: Record<Sentence["sign"], number> = { y: 8, n: 8, "+": 0.3, "-": 0.3, o: 0.02, "?": 0 };

/** A sentence as it is learnt: the numbers of its expressions, the score that it should have, and how much it counts. */
interface Sample {
  numbers: Uint32Array;
  score: number;
  counts: number;
}

const SCORES = { "+": 1, "?": 0.4, "-": 0, o: 0 };

function shuffle<T>(items: T[], random: () => number): void {
  for (let i = items.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [items[i], items[other]] = [items[other] as T, items[i] as T];
  }
}

/** Logistic regression by stochastic gradients, with a step of its own for each weight (AdaGrad). */
function learn(samples: Sample[], bias: number): Float64Array {
  const weights = new Float64Array(WEIGHTS);
  const squares = new Float64Array(WEIGHTS).fill(1e-8);
  const move = (at: number, gradient: number) => {
    const square = (squares[at] as number) + gradient * gradient;
    squares[at] = square;
    weights[at] = (weights[at] as number) - (FIRST_STEP * gradient) / Math.sqrt(square);
  };
  const random = seededRandom(7);
  for (let round = 0; round < ROUNDS; round++) {
    shuffle(samples, random);
    for (const { numbers, score, counts } of samples) {
      const scale = scaleOf(numbers.length);
      const sum = numbers.reduce((total, number) => total + (weights[number] as number), 0);
      const error = counts * (1 / (1 + Math.exp(-(sum * scale + bias))) - score);
      for (const number of numbers) move(number, error * scale + DECAY * (weights[number] as number));
    }
  }
  return weights;
}

/** Lays weights out as src/engine/opt-out/score.ts reads them. */
function toBytes(weights: Float64Array, bias: number): Buffer {
  const unit = weights.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
  const head = Buffer.alloc(8);
  head.writeFloatLE(unit, 0);
  head.writeFloatLE(bias, 4);
  const rounded = Int8Array.from(weights, (value) => Math.round(value / unit));
  return Buffer.concat([head, Buffer.from(rounded.buffer)]);
}

const sentences = readSentences();
const wishes: Sample[] = [];
const answers: Sample[] = [];
for (const { text, language, sign } of sentences) {
  const folded = fold(text);
  const { verdict } = judgeByPatterns(folded, language);
  const numbers = Uint32Array.from(answerExpressionsOf(folded, verdict));
  if (sign !== "?") answers.push({ numbers, score: Number("y+".includes(sign)), counts: ANSWER_COUNTS[sign] });
  if (sign === "y" || sign === "n") continue;
  const counts = sign === "o" ? ORDINARY_COUNTS : 1;
  wishes.push({ numbers: Uint32Array.from(expressionsOf(folded, verdict)), score: SCORES[sign], counts });
}
// The digest of the sentences comes last.
writeFileSync(
  new URL("../../../src/engine/opt-out/weights.bin", import.meta.url),
  Buffer.concat([toBytes(learn(wishes, BIAS), BIAS), toBytes(learn(answers, 0), 0), digestOf(sentences)]),
);
console.log(`Learnt from ${sentences.length} sentences.`);
