import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

/* Gives a value to each setting that a file of settings leaves empty, as a reader does. */

const path = process.argv[2] ?? "";
let address = 0;
const value = (name: string) => (/ADDRESS|PUBLIC/.test(name) ? `10.0.0.${++address}` : randomBytes(24).toString("hex"));
const text = readFileSync(path, "utf8");
writeFileSync(
  path,
  text.replaceAll(/^([A-Z][A-Z0-9_]*)=$/gm, (_, name: string) => `${name}=${value(name)}`),
);
