/**
 * Returns the lines of a page's output that a real one does not have, in their order. Figures and bars may differ;
 * with figures, only times that a command took, as in "in 0.1 s".
 */
export function findOutputFaults(shown: string, real: string, hasFigures = false): string[] {
  const rest = real.split("\n").map((line) => line.trimEnd());
  return shown.split("\n").filter((line) => {
    if (line.trim() === "") return false;
    const form = new RegExp(`^${shapeOf(line, hasFigures)}$`);
    const place = rest.findIndex((other) => form.test(other));
    if (place !== -1) rest.splice(0, place + 1);
    return place === -1;
  });
}

/** The time that a command took, in an escaped line. */
const TOOK = /(?<= \+in \+)\d+\\\.\d+(?= \+s,)/g;

/** Returns the expression that a line and all lines of the same shape fit. */
function shapeOf(line: string, hasFigures: boolean): string {
  const escaped = line
    .trimEnd()
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll("…", ".*")
    .replaceAll(/ +/g, " +");
  return hasFigures ? escaped.replaceAll(TOOK, String.raw`\d+\.\d+`) : escaped.replaceAll(/\d+/g, String.raw`\d+`);
}
