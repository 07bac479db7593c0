/** The numbers that a command line gives, or the reason why it cannot be run. */
export type ReadOptions = { options: Map<string, number> } | { fault: string };

/**
 * Reads `--NAME NUMBER` pairs of which the soak knows the names. A soak takes minutes to hours and both processors, so
 * one that is not understood must not begin.
 */
export function readOptions(args: readonly string[], known: readonly string[]): ReadOptions {
  const options = new Map<string, number>();
  for (let i = 0; i < args.length; i += 2) {
    const [flag = "", text = ""] = args.slice(i, i + 2);
    const name = flag.replace(/^--/, "");
    if (!flag.startsWith("--") || !known.includes(name)) return { fault: `${flag} is no option. ${list(known)}` };
    if (text === "" || !Number.isFinite(Number(text))) return { fault: `${flag} needs a number. ${list(known)}` };
    options.set(name, Number(text));
  }
  return { options };
}

function list(known: readonly string[]): string {
  return `It takes ${known.map((name) => `--${name} NUMBER`).join(", ")}.`;
}
