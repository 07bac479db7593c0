/** Levels that are drawn: the last 4.8 s. */
export const SHOWN = 48;
const TOP = 15;

/** Keeps how loud both sides of a call were lately, for its waveform. */
export class LevelHistory {
  #person = "0".repeat(SHOWN);
  #agent = "0".repeat(SHOWN);

  /** Adds levels as the stream has them: the person's digits, a dot, and ours. */
  add(digits: string): void {
    const [person = "", agent = ""] = digits.split(".");
    this.#person = (this.#person + person).slice(-SHOWN);
    this.#agent = (this.#agent + agent).slice(-SHOWN);
  }

  /** Outlines of the two sides as SVG paths, in a box of 2 × SHOWN by 32: bars around the middle. */
  get paths(): { person: string; agent: string } {
    return { person: toPath(this.#person), agent: toPath(this.#agent) };
  }
}

function toPath(digits: string): string {
  return Array.from(digits, (digit, i) => {
    const half = (Number.parseInt(digit, 16) / TOP) * 15;
    return half > 0 ? `M${2 * i + 1} ${(16 - half).toFixed(1)}v${(2 * half).toFixed(1)}` : "";
  }).join("");
}
