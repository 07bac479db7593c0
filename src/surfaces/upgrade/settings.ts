import { ConfigError, readConfig } from "#src/platform/config/config.ts";

/** Settings of the command line and of the launcher. */
const OTHERS = ["PARLEY_API_KEY", "PARLEY_DEBUG", "PARLEY_WEBHOOK_SECRET"];
/** Variables that Kubernetes adds for a service named parley. */
const OF_KUBERNETES = /^PARLEY_(?:SERVICE|PORT)(?:_|$)/;
const MOST_TYPOS = 2;

/**
 * Returns the environment variables that look like settings of Parley and are none of this version: those named
 * PARLEY_…, and those that are almost the name of one.
 */
export function findDoubtfulSettings(env: Record<string, string | undefined>): string[] {
  const known = [...findKnownSettings(), ...OTHERS];
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !OF_KUBERNETES.test(name))
    .flatMap((name) => {
      const meant = known.find((one) => one.length > 6 && countTypos(one, name) <= MOST_TYPOS);
      if (meant !== undefined) return [`${name}, perhaps ${meant}`];
      return name.startsWith("PARLEY_") ? [name] : [];
    });
}

/** Returns the settings that the server reads, by watching it read them. */
function findKnownSettings(): string[] {
  const names = new Set<string>();
  const watched = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        if (typeof name === "string") names.add(name);
        return undefined;
      },
    },
  );
  try {
    readConfig(watched);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return [...names];
}

/** Counts the characters to add, leave out or change between two names (Levenshtein). */
function countTypos(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_TYPOS) return MOST_TYPOS + 1;
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of Array.from(one).entries()) {
    const next = [i + 1];
    for (const [j, given] of Array.from(other).entries()) {
      const swapped = (row[j] ?? 0) + (letter === given ? 0 : 1);
      next.push(Math.min(swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
