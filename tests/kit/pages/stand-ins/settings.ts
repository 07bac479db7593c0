import { readFileSync } from "node:fs";

/** Reads lines `NAME=value`, as a file of settings has them. */
export function readSettingsFile(path: string): Record<string, string> {
  const lines = [...readFileSync(path, "utf8").matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)];
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
}

/** Reads `NAME=value` arguments. */
export function readPairs(pairs: string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([A-Za-z][\w.]*)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || value === undefined) throw new Error(`${pair} is not NAME=value`);
      return [name, value];
    }),
  );
}

/** Returns a variable that machine.ts gives its programs. */
export function ofMachine(name: "MACHINE" | "CHECKOUT" | "MACHINE_DATABASE_URL" | "MACHINE_SECRET"): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing: this program runs on a machine of the tests alone`);
  return value;
}
