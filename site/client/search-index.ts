import MiniSearch from "minisearch";

/** A part of a page, as the build wrote it. */
interface Passage {
  slug: string;
  title: string;
  anchor: string;
  heading: string;
  text: string;
}

/** A passage that was found. */
export interface Found extends Passage {
  /** Words of the passage that match. */
  words: string[];
}

const MOST = 20;

/** Loads the passages of all pages, and returns a function that finds the best of them for words. */
export async function openIndex(address: string): Promise<(words: string) => Found[]> {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`The server answered ${reply.status}.`);
  const passages = (await reply.json()) as Passage[];
  const index = new MiniSearch<Passage & { id: number }>({
    fields: ["title", "heading", "text"],
    // Names with dots, dashes and underscores are found whole and by their parts.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_.-]+/u).flatMap(splitName),
    searchOptions: {
      boost: { title: 4, heading: 3 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
    },
  });
  await index.addAllAsync(passages.map((passage, id) => ({ ...passage, id })));
  return (words) =>
    index
      .search(words)
      .slice(0, MOST)
      .map(({ id, terms }) => ({ ...(passages[id as number] as Passage), words: terms }));
}

function splitName(word: string): string[] {
  const name = word.replaceAll(/^[.-]+|[.-]+$/g, "");
  const parts = name.split(/[_.-]+/);
  return parts.length > 1 ? [name, ...parts] : [name];
}
