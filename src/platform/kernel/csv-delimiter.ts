/** Returns what separates the values of a CSV: of these marks, the one that its first line has most of. */
export function delimiterOf(text: string, marks: readonly string[] = [",", ";", "\t"]): string {
  // A name in quotes may hold the others.
  const head = (/^\s*([^\r\n]*)/.exec(text)?.[1] ?? "").replaceAll(/"[^"]*"/g, "");
  const count = (mark: string) => head.split(mark).length;
  return marks.reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}
