/** A piece of a document. Blocks come in reading order. */
export type Block =
  | { kind: "HEADING"; text: string; page: number | null; /** 1 is the highest. */ level: number }
  | { kind: "PARAGRAPH"; text: string; page: number | null }
  | {
      kind: "ROW";
      text: string;
      page: number | null;
      /** The table's first row, repeated where a passage begins inside the table. */ header: string | null;
    };

/** Returns runs of lines without an empty one between them as paragraphs; trailing spaces of lines are dropped. */
export function textToBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) blocks.push({ kind: "PARAGRAPH", text: lines.join("\n"), page: null });
    lines = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const kept = line.trimEnd();
    if (kept === "") flush();
    else lines.push(kept);
  }
  flush();
  return blocks;
}
