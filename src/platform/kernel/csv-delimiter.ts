/** Returns what separates the values of a CSV: comma, semicolon or tab, whichever its first line has most of. */
export function delimiterOf(text: string): string {
  // A name in quotes may hold the others.
  const head = (/^\s*([^\r\n]*)/.exec(text)?.[1] ?? "").replaceAll(/"[^"]*"/g, "");
  const count = (mark: string) => head.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}
