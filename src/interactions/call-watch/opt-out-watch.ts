import type { Turn } from "#src/engine/conversation/plan.ts";
import { findDoubt } from "#src/engine/opt-out/doubt.ts";
import { judgeOptOut } from "#src/engine/opt-out/judge.ts";

/** Follows whether words that may be an opt-out are still open. */
export class OptOutWatch {
  readonly #language: string;
  #hasWords = false;
  #isListed = false;

  constructor(language: string) {
    this.#language = language;
  }

  /** Takes a new line of the transcript. */
  note({ role, content }: Turn): void {
    if (role === "USER") {
      const { verdict } = judgeOptOut(content, this.#language);
      this.#hasWords ||= verdict === "CERTAIN" || verdict === "UNCERTAIN";
    } else if (role === "TOOL" && content.includes("add_to_do_not_call")) {
      this.#isListed ||= (JSON.parse(content) as { result?: unknown }).result?.toString().startsWith("ok") === true;
    }
  }

  /**
   * True while such words are open. Words that nobody has answered yet are not: the engine is about to heed them, or to
   * ask back.
   */
  isDoubtful(turns: readonly Turn[]): boolean {
    if (!this.#hasWords || this.#isListed || turns.at(-1)?.role === "USER") return false;
    return findDoubt(turns, this.#language) !== null;
  }
}
