import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parsePersonaFile } from "#src/engine/personas/persona-file.ts";
import { buildProgram } from "#src/surfaces/cli/program.ts";
import { Run } from "#src/surfaces/cli/run.ts";
import { createSystem } from "#src/surfaces/cli/system.ts";
import { readSuite } from "#src/workbench/simulations/read-suite.ts";
import { type Block, type BlockKind, findBlocks, readBlocks } from "../kit/pages/blocks.ts";
import { findOutputFaults } from "../kit/pages/outputs.ts";
import { ROOT } from "../kit/repository.ts";

/* What each block of the documentation is, and those that need no server. */

const blocks = findBlocks();
const of = (...kinds: BlockKind[]) => blocks.filter(({ test: { kind } }) => kinds.includes(kind));
const where = ({ page, line }: Block) => `${page}:${line}`;
const title = (block: Block) => [`${where(block)} ${block.info}`, block] as const;

const RUN: BlockKind[] = [
  "COMMANDS",
  "OUTPUT",
  "PROGRAM_TS",
  "PROGRAM_PYTHON",
  "FILE",
  "REQUEST",
  "ELSEWHERE",
  "MACHINE",
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-blocks-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("each block says how it is tested", () => {
  const left = of("NOT_RUN");
  const drawings = of("DRAWING").length;
  const total = blocks.length - drawings;
  const ran = of(...RUN).length;
  console.log(`${ran} of ${total} blocks of the documentation are executed, ${total - ran - left.length} compared with
what reads them, ${left.length} not run: ${left.map((block) => `${where(block)} (${block.test.what})`).join(", ")}`);
  expect(ran).toBeGreaterThan(left.length * 2);
});

test.each(["", "text", "json", "sh maybe", "sh not run:", "yaml saved as ../x"])('a block "%s" is a fault', (info) => {
  expect(() => readBlocks("page.md", `# Page\n\n\`\`\`${info}\nls\n\`\`\`\n`)).toThrow("page.md:3");
});

test("figures of an output may differ, its words and their order may not", () => {
  const real = "queued  +1 (x9)\n 0:08  Person  Okay.\nCOMPLETED  0:31\n";
  expect(findOutputFaults("queued +1 (…)\nCOMPLETED  0:27\n", real)).toEqual([]);
  expect(findOutputFaults("COMPLETED  0:27\n 0:08  Person  Okay.\n", real)).toEqual([" 0:08  Person  Okay."]);
  expect(findOutputFaults("queued +1 (…)\nFAILED  0:27\n", real)).toEqual(["FAILED  0:27"]);
});

test("an output that is shown with its figures has those of a real one, but for the time that it took", () => {
  const real = "  pass  5/5  17 s\n129 s of calls in 12.7 s, 0.037589 USD\n";
  expect(findOutputFaults("  pass  5/5  17 s\n129 s of calls in 0.1 s, 0.037589 USD\n", real, true)).toEqual([]);
  for (const line of ["  pass  5/5  16 s", "130 s of calls in 0.1 s, 0.037589 USD"]) {
    expect(findOutputFaults(line, real)).toEqual([]);
    expect(findOutputFaults(line, real, true)).toEqual([line]);
  }
});

test("a file that a page shows is used by its commands", () => {
  for (const { page, test: how } of of("FILE")) {
    const commands = of("COMMANDS").filter((block) => block.page === page);
    expect(commands.filter(({ text }) => text.includes(how.what)).length, `${page}: ${how.what}`).toBeGreaterThan(0);
  }
});

test.each(of("ELSEWHERE").map(title))("%s exists", (_, { test: { what } }) => {
  expect(existsSync(join(ROOT, what))).toBe(true);
});

describe("commands that are not run here", () => {
  test.each(
    of("NOT_RUN")
      .filter(({ info }) => info.startsWith("sh "))
      .map(title),
  )("%s", (_, { text }) => {
    expect(spawnSync("bash", ["-n"], { input: text, encoding: "utf8" }).stderr).toBe("");
    expect(findUnknown(text)).toEqual([]);
  });

  test("an unknown command, option, script or file is found", () => {
    const text =
      "npx parley carier add\nparley drain --second 60\nnpm run soaks\ncp deploy/compose/no.env x\nparley drain --seconds 6";
    expect(findUnknown(text)).toEqual([
      "parley carier",
      "parley drain --second",
      "npm run soaks",
      "deploy/compose/no.env",
    ]);
  });
});

describe("files that a reader writes", () => {
  test.each(of("PERSONA").map(title))("%s", (_, { text }) => {
    expect(parsePersonaFile(text, "page.persona.yaml").name).not.toBe("");
  });

  test.each(of("PERSONA_FAULT").map(title))("%s", (_, { page, text }) => {
    const first = of("PERSONA").find((block) => block.page === page)?.text ?? "";
    const wrong = first.replace(/turns: \[\d+\]/, "turns: three");
    expect(() => parsePersonaFile(wrong, "hurried.persona.yaml")).toThrow(text.trim());
  });

  test.each(of("SUITE").map(title))("%s", (_, { page, text }) => {
    const persona = readFileSync(join(ROOT, "docs/personas.md"), "utf8");
    const [hurried] = readBlocks(page, persona).filter(({ test: { kind } }) => kind === "PERSONA");
    expect(readSuite(text, "suite.yaml", () => hurried?.text ?? "").scenarios.length).toBeGreaterThan(0);
  });

  test.each(of("SCENARIO_PART").map(title))("%s", (_, { text }) => {
    const suite = `suite: x\nflow: x\nscenarios:\n  - name: says yes\n    persona: agrees\n    expect:\n${text}`;
    expect(readSuite(suite, "suite.yaml").scenarios[0]?.expect.fields).not.toEqual({});
  });
});

describe("settings of other programs", () => {
  test.each(of("WORKFLOW").map(title))("%s", (_, { text }) => {
    const { jobs } = parse(text) as { jobs: Record<string, { steps: { run?: string; uses?: string }[] }> };
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    // The launcher of the checkout runs the command line, too.
    expect(findUnknown(commands.join("\n").replaceAll("bin/run.js", "bin/parley.js"))).toEqual([]);
    for (const { uses } of steps.filter((step) => step.uses)) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
  });

  test.for(of("NGINX").map(title))("%s", ([, { text }], { skip }) => {
    const path = join(folder, "nginx.conf");
    // Each tab of the dashboard holds a stream, and a browser opens six connections of HTTP/1.1 to an origin.
    expect(text).toMatch(/^ +listen 443 ssl http2;$/m);
    const local = text.replaceAll(/^ *ssl_certificate.*$/gm, "").replace("listen 443 ssl", "listen unix:nginx.sock");
    const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/tmp;`);
    writeFileSync(path, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${own.join("\n")}\n${local}}\n`);
    const { error, stderr } = spawnSync("nginx", ["-t", "-p", folder, "-e", "stderr", "-c", path], {
      encoding: "utf8",
    });
    if (error) return skip("nginx is not installed");
    expect(stderr).toContain("test is successful");
  });

  test.for(of("CADDY").map(title))("%s as Caddy reads it", ([, { text }], { skip }) => {
    const path = join(folder, "Caddyfile");
    writeFileSync(path, text);
    const { error, status, stderr } = spawnSync("caddy", ["adapt", "--adapter", "caddyfile", "--config", path], {
      encoding: "utf8",
    });
    if (error) return skip("Caddy is not installed");
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
  });

  test.each(of("SYSTEMD").map(title))("%s", (_, { text }) => {
    const units = text.split(/^# \/etc\/systemd\/system\/(?=[\w.-]+$)/m).slice(1);
    expect(units.length).toBeGreaterThan(0);
    mkdirSync(join(folder, "units"), { recursive: true });
    for (const unit of units) {
      const [name = "", ...lines] = unit.split("\n");
      expect(findUnknown(unit)).toEqual([]);
      for (const line of lines) expect(line).toMatch(/^(|\[(Service|Timer|Install|Unit)\]|[A-Z]\w+=.+)$/);
      expect(name).toMatch(/^[\w-]+\.(service|timer)$/);
      writeFileSync(join(folder, "units", name), lines.join("\n"));
    }
    const paths = readdirSync(join(folder, "units")).map((name) => join(folder, "units", name));
    const { error, status, stderr } = spawnSync("systemd-analyze", ["verify", ...paths], { encoding: "utf8" });
    expect(error ? [0, ""] : [status, stderr]).toEqual([0, ""]);
  });
});

const program: Command = await buildProgram(new Run(createSystem()));

/** Returns the commands, options, scripts and files of the checkout that commands name and that do not exist. */
function findUnknown(text: string): string[] {
  const joined = text.replaceAll("\\\n", " ").replaceAll(/ +#.*$/gm, "");
  const commands = [...joined.matchAll(/(?:^|npx |&& |exec parley |bin\/)parley(?:\.js)? ([^&|;'\n]+)/gm)];
  const scripts = Object.keys(
    (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object }).scripts,
  );
  return [
    ...commands.flatMap(([, words = ""]) => findUnknownWord(words.trim().split(/\s+/))),
    ...[...joined.matchAll(/npm run ([\w-]+)/g)].flatMap(([all, name = ""]) => (scripts.includes(name) ? [] : [all])),
    ...[...joined.matchAll(/(?<![\w/])(?:deploy|sdk)\/[\w./-]+/g)].flatMap(([path]) =>
      existsSync(join(ROOT, path)) ? [] : [path],
    ),
  ];
}

/** Returns the first word of a command line that the command line's program does not know. */
function findUnknownWord(words: string[]): string[] {
  let command = program;
  const said = ["parley"];
  for (const word of words) {
    said.push(word);
    if (word.startsWith("--")) {
      const name = word.split("=")[0];
      if (!command.options.some(({ long }) => long === name) && name !== "--json") return [said.join(" ")];
      said.pop();
    } else if (command.commands.length > 0) {
      const next = command.commands.find((one) => one.name() === word);
      if (!next && command.registeredArguments.length === 0) return [said.join(" ")];
      command = next ?? command;
    }
  }
  return [];
}
