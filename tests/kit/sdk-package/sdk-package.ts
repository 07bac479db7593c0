import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { ROOT } from "../repository.ts";
import { programEnvironment } from "../test-environment.ts";
import type { World } from "../world.ts";

const run = promisify(execFile);
const PROGRAMS = join(import.meta.dirname, "programs");
const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

/** The packed SDK, installed from its tarball into a project of its own. */
export class InstalledSdk implements Disposable {
  readonly folder: string;
  readonly tarball: string;

  private constructor(folder: string, tarball: string) {
    this.folder = folder;
    this.tarball = tarball;
  }

  /** Builds and packs the SDK, and installs it without a network. */
  static async make(): Promise<InstalledSdk> {
    const folder = mkdtempSync(join(tmpdir(), "parley-sdk-"));
    const out = join(folder, "packed");
    // A module without types.
    const builder = new URL("../../../bin/sdk.js", import.meta.url).href;
    const { buildPackage } = (await import(builder)) as {
      buildPackage: (node: string, out: string) => Promise<string>;
    };
    const tarball = await buildPackage(process.execPath, out);
    writeFileSync(join(folder, "package.json"), `{ "private": true, "name": "journey" }\n`);
    const offline = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...offline, tarball], { cwd: folder, env: programEnvironment() });
    cpSync(PROGRAMS, folder, { recursive: true });
    return new InstalledSdk(folder, tarball);
  }

  /** The manifest as it was installed. */
  get manifest(): Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.folder, "node_modules/@parley/sdk/package.json"), "utf8")) as Record<
      string,
      unknown
    >;
  }

  /** Runs one of the programs against a server; returns what it saw. */
  async travel(command: string[], world: World): Promise<unknown> {
    const path = join(this.folder, "hours.txt");
    writeFileSync(path, "We are open from 8 to 5.");
    const env = programEnvironment({ JOURNEY: JSON.stringify({ ...journeySettings(world), path }) });
    const [file = "", ...args] = command;
    const { stdout } = await run(file, args, { cwd: this.folder, env, maxBuffer: 1e7 });
    return JSON.parse(stdout);
  }

  /** Compiles a program of the documentation and runs it against a server; returns what it printed. */
  async runExample(name: string, text: string, world: World): Promise<string> {
    writeFileSync(join(this.folder, "hours.txt"), "We are open from 8 to 5.");
    writeFileSync(join(this.folder, "contacts.csv"), "customerNumber\n+12025550100\n");
    writeFileSync(join(this.folder, name), text);
    // A reader's project has the types of Node.
    const types = { types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")], module: "nodenext" };
    const faults = await this.compile(name, { ...types, skipLibCheck: true }, name);
    if (faults !== "") throw new Error(faults);
    const env = programEnvironment({ PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey });
    return (await run(process.execPath, [name], { cwd: this.folder, env })).stdout;
  }

  /** Compiles types.ts, or another file, with the settings of a consumer; returns what the compiler says. */
  async compile(name: string, settings: Record<string, unknown>, file = "types.ts"): Promise<string> {
    const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false };
    const compilerOptions = {
      ...strict,
      target: "es2022",
      lib: ["es2022", "dom", "dom.asynciterable"],
      types: [],
      ...settings,
    };
    const project = join(this.folder, `${name}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
    const compiler = join(ROOT, "node_modules/@typescript/native/bin/tsc");
    return run(process.execPath, [compiler, "-p", project], { cwd: this.folder }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  }

  /** Returns what is wrong with the package's types in any way of importing it. */
  async findTypeProblems(): Promise<unknown> {
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, "analyse.mjs"), this.tarball], {
      env: programEnvironment(),
    });
    return JSON.parse(stdout);
  }

  /** Bundles page.mjs for browsers; returns the script. */
  async bundle(): Promise<string> {
    const vite = join(ROOT, "node_modules/vite/bin/vite.js");
    const config = join(this.folder, "vite.config.mjs");
    const lib = { entry: "page.mjs", formats: ["es"], fileName: "page" };
    writeFileSync(config, `export default ${JSON.stringify({ logLevel: "warn", build: { lib, outDir: "bundled" } })};`);
    await run(process.execPath, [vite, "build", "--config", config], { cwd: this.folder, env: programEnvironment() });
    return readFileSync(join(this.folder, "bundled/page.mjs"), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns what a program needs to know of the server, and deliveries that a library of others has signed. */
export function journeySettings(world: World): Record<string, unknown> {
  const { apiKey, agent } = world.sample;
  return { url: world.url, apiKey, agentId: agent.id, deliveries: deliveries() };
}

/** Deliveries that are right, forged, altered, replayed, and signed by either of two secrets. */
function deliveries(): object[] {
  const body = JSON.stringify({ eventId: "e1", eventType: "call_job.completed", job: { name: "ä" } });
  const other = `whsec_${Buffer.from("abcdef0123456789abcdef0123456789").toString("base64")}`;
  const sign = (text: string, { secret = SECRET, ageSeconds = 0 } = {}) => {
    const at = new Date(Date.now() - ageSeconds * 1000);
    const signature = new Webhook(secret).sign("msg_1", at, text);
    return {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signature,
    };
  };
  return [
    { name: "right", headers: sign(body), body, secret: SECRET },
    { name: "forged", headers: sign(body, { secret: other }), body, secret: SECRET },
    { name: "altered", headers: sign(body), body: body.replace("e1", "e2"), secret: SECRET },
    { name: "replayed", headers: sign(body, { ageSeconds: 301 }), body, secret: SECRET },
    { name: "rotated", headers: sign(body, { secret: other }), body, secret: [SECRET, other] },
  ];
}

/** Steps that every runtime must see on its journey. */
export const SEEN = {
  call: "COMPLETED",
  said: true,
  job: "COMPLETED",
  rows: ["+12025550100", "+12025550101"],
  uploaded: "hours.txt",
  sound: "RIFF",
  missing: [true, 404, "NotFoundError", "string"],
  webhooks: { right: "e1", forged: "refused", altered: "refused", replayed: "refused", rotated: "e1" },
};

/** A program that the matrix has fetched. */
export function findRuntime(name: string, program: string): string | undefined {
  const path = join(process.env.SDK_MATRIX ?? "", "node_modules", name, program);
  return process.env.SDK_MATRIX && existsSync(path) ? path : undefined;
}
