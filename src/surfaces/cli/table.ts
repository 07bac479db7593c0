/** Returns text that cannot control a terminal, because names and transcripts are untrusted. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

/** Returns columns padded to their widest cell; the heading alone when there are no rows. */
export function renderTable(heading: string[], rows: string[][]): string {
  const lines = [heading, ...rows.map((row) => row.map(printable))];
  const widths = heading.map((_title, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Returns one `name  value` line for each value in the object; inner objects by their dotted path, nulls left out. */
export function renderFields(value: object): string {
  const fields = flatten(value, "");
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

function flatten(value: object, prefix: string): [string, string][] {
  return Object.entries(value).flatMap(([key, item]: [string, unknown]): [string, string][] => {
    const name = prefix + printable(key);
    if (item === null || item === undefined) return [];
    if (Array.isArray(item)) return [[name, item.map(show).join(", ")]];
    if (typeof item === "object") return flatten(item, `${name}.`);
    return [[name, show(item)]];
  });
}

/** Formats a value for a cell: texts as they are, objects as JSON, nothing for null. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return "";
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}
