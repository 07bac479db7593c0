/** Returns the lines of a page's output that a real one does not have, in their order; figures and bars may differ. */
export function findOutputFaults(shown: string, real: string): string[] {
  const rest = real.split("\n").map((line) => line.trimEnd());
  return shown.split("\n").filter((line) => {
    if (line.trim() === "") return false;
    const form = new RegExp(`^${shapeOf(line)}$`);
    const place = rest.findIndex((other) => form.test(other));
    if (place !== -1) rest.splice(0, place + 1);
    return place === -1;
  });
}

/** Returns the expression that a line and all lines of the same shape fit. */
function shapeOf(line: string): string {
  return line
    .trimEnd()
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll("…", ".*")
    .replaceAll(/\d+/g, String.raw`\d+`)
    .replaceAll(/ +/g, " +");
}
