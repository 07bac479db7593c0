import { readTime, tellTime } from "#src/engine/conversation/local-clock.ts";
import { type KnowledgePassage, ServiceError, type SessionServices } from "#src/engine/conversation/services.ts";
import type { KnowledgeEntry } from "./suite.ts";

const MAX_PASSAGES = 4;
/** Clock of the people of simulations. */
const ZONE = "UTC";

/** Creates the services behind a simulation's system tools: all in memory, for one conversation alone. */
export function createMemoryServices(
  knowledge: KnowledgeEntry[],
  records: Record<string, Record<string, unknown>[]>,
): SessionServices {
  const stores = new Map(Object.entries(structuredClone(records)));
  const recordsOf = (storeKey: string): Record<string, unknown>[] => {
    const found = stores.get(storeKey);
    if (found) return found;
    throw new ServiceError(
      "STORE",
      `there is no such data store. Data stores: ${[...stores.keys()].join(", ") || "none"}.`,
    );
  };
  return {
    sendMessage: async ({ channel }) => `ok: the ${channel} message is on its way`,
    async scheduleCallback(callback) {
      const atMs = readTime(callback.at, ZONE);
      if (atMs === null) throw new ServiceError("TIME", "at must be a time such as 2026-03-01T15:00.");
      return `ok: they will be called at ${tellTime(atMs, ZONE)}`;
    },
    searchKnowledge: async (query) => findPassages(knowledge, query),
    async readRecord({ storeKey, recordId }) {
      const all = recordsOf(storeKey).map((fields, i) => ({ recordId: idOf(storeKey, i), fields }));
      const wanted = recordId === null ? all : all.filter((one) => one.recordId === recordId);
      return wanted.length === 0 ? "nothing is stored" : JSON.stringify(wanted);
    },
    async writeRecord({ storeKey, recordId, fields }) {
      const list = recordsOf(storeKey);
      const at = recordId === null ? list.length : list.findIndex((_one, i) => idOf(storeKey, i) === recordId);
      if (at < 0) throw new ServiceError("RECORD", "there is no such record.");
      list[at] = { ...list[at], ...fields };
      return `ok: ${idOf(storeKey, at)}`;
    },
  };
}

function idOf(storeKey: string, at: number): string {
  return `${storeKey}-${at + 1}`;
}

/** Returns entries that share words with the question, best matches first. */
function findPassages(knowledge: KnowledgeEntry[], query: string): KnowledgePassage[] {
  const wanted = wordsOf(query);
  return knowledge
    .map(({ title, text }, position) => {
      const score = [...wordsOf(`${title} ${text}`)].filter((word) => wanted.has(word)).length;
      return {
        score,
        passage: { itemId: `knowledge-${position + 1}`, title, position: 0, headings: [], page: null, text },
      };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_PASSAGES)
    .map(({ passage }) => passage);
}

let segmenter: Intl.Segmenter | undefined;
/** A word of a script in which two characters are one, and words have no spaces between them. */
const SHORT_WORD =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}ー]{2}$/u;

/** Returns the words of three letters and more, without endings that mark the plural. */
function wordsOf(text: string): Set<string> {
  const runs = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? [];
  // Made on first use, which takes 10 ms.
  const made = (segmenter ??= new Intl.Segmenter("und", { granularity: "word" }));
  const words = runs.flatMap((run) => [...made.segment(run)].map(({ segment }) => segment));
  const kept = words.filter((word) => word.length > 2 || SHORT_WORD.test(word));
  return new Set(kept.map((word) => word.replace(/(?:es|s|en|e)$/u, "")));
}
