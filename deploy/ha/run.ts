import { mkdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { LocalCluster } from "./local-cluster.ts";
import { findMissing } from "./programs.ts";
import { MEMBERS, readSettings, writeFiles } from "./render.ts";

/**
 * `npm run ha -- render --settings ha.env --member 1 --into FOLDER` writes the files of a machine;
 * `npm run ha -- local` runs all three machines' programs on this one until it is interrupted.
 */
const print = (line: string) => process.stdout.write(`${line}\n`);
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { settings: { type: "string" }, member: { type: "string" }, into: { type: "string" } },
});

if (positionals[0] === "render") renderFiles();
else if (positionals[0] === "local") await runLocal();
else fail("Say render --settings FILE --member 1 --into FOLDER, or local.");

function renderFiles(): void {
  const member = MEMBERS.find((number) => String(number) === values.member);
  if (!values.settings || !member || !values.into)
    return fail("render needs --settings FILE, --member 1, 2 or 3, and --into FOLDER.");
  try {
    const settings = readSettings(readFileSync(values.settings, "utf8"));
    mkdirSync(values.into, { recursive: true });
    writeFiles(settings, member, values.into);
    print(`The files of machine ${member} are in ${values.into}.`);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

async function runLocal(): Promise<void> {
  const missing = findMissing();
  if (missing.length > 0)
    return fail(`Not installed: ${missing.join(", ")}. docs/high-availability.md names the packages.`);
  const interrupted = new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  await using cluster = await LocalCluster.start();
  for (const member of MEMBERS) {
    const enter = cluster.machines.enter(member).join(" ") || "nothing";
    print(
      `Machine ${member}: API ${cluster.apiUrl(member)}, DATABASE_URL=${cluster.databaseUrl(member)}, enter: ${enter}`,
    );
  }
  print(`Machine ${await cluster.findPrimary()} has the primary. Ctrl-C ends everything.`);
  await interrupted;
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
