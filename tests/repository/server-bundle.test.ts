import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleServer } from "../kit/server-bundle.ts";
import { programEnvironment } from "../kit/test-environment.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "parley-bundle-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the bundle with a database that is not there. */
async function fail(...options: string[]) {
  const args = [...options, "bin/enter.js", await bundleServer(), join(folder, "compiled"), "serve"];
  const DATABASE_URL = "postgres://nobody@127.0.0.1:1/none";
  const env = programEnvironment({ DATABASE_URL, DATA_DIR: join(folder, "data"), LOG_LEVEL: "debug", PATH: "" });
  return spawnSync(process.execPath, args, { env, encoding: "utf8" });
}

test("the bundle's stack traces name the files and lines of the sources", async () => {
  const { status, stderr } = await fail();
  expect(status).toBe(1);
  expect(stderr).toMatch(/\n {4}at refuseDatabase \(file:\/\/\S+\/src\/app\/database\.ts:\d+\)/);
  expect(stderr).not.toMatch(/at .*\/server\/\S+\.cjs:/);
});

test("the bundle loads Node's HTTP without Node's copy of undici", async () => {
  const tell = 'process.on("exit", () => console.log(process.moduleLoadList.join("\\n")))';
  const { stdout } = await fail("--import", `data:text/javascript,${encodeURIComponent(tell)}`);
  expect(stdout).toMatch(/^NativeModule http$/m);
  expect(stdout).not.toMatch(/undici/);
});

test("a pattern that was used before the server is loaded works afterwards", async () => {
  const pattern = "/a(b|c)+d17|[x-z]{2,}q/g";
  const use = `const pattern = ${pattern}; const text = "xxabcbcbcd17 zzq"; pattern.exec(text); pattern.lastIndex = 0;
    process.on("exit", () => { for (let i = 0; i < 500; i++) text.replace(pattern, () => ""); console.log("works"); })`;
  const { signal, stdout } = await fail("--import", `data:text/javascript,${encodeURIComponent(use)}`);
  expect({ signal, stdout }).toEqual({ signal: null, stdout: "works\n" });
});

/** Returns the bundle's files by their names, without what servers that ran from it have compiled beside them. */
async function readBundle(): Promise<Map<string, string>> {
  const bundle = dirname(await bundleServer());
  const names = readdirSync(bundle).filter((name) => name.endsWith(".cjs"));
  return new Map(names.map((name) => [name, readFileSync(join(bundle, name), "utf8")]));
}

test("nothing of the bundle but its command line is loaded by an import, of which Node would warn", async () => {
  expect((await fail()).stderr).not.toContain("Warning");
  const texts = await readBundle();
  const imports = [...texts.values()].flatMap((text) => text.match(/(?<![.\w$])import\("[^"$]*"\)/g) ?? []);
  expect(imports).toEqual([expect.stringMatching(/^import\("file:.*\/cli\/program\.ts"\)$/)]);
});

test("the bundle is written in ASCII, which V8 keeps in half the memory", async () => {
  const texts = await readBundle();
  const others = [...texts].filter(([, text]) => /[^\p{ASCII}]/u.test(text)).map(([name]) => name);
  expect({ files: texts.size > 10, others }).toEqual({ files: true, others: [] });
});

test("what sends requests to others, and what a scripted agent says, are in files that a server loads once it is ready", async () => {
  const texts = await readBundle();
  const names = [...texts.keys()];
  const read = (name: string) => texts.get(name) ?? "";
  const loaded = new Set(names.filter((name) => name.startsWith("app-")));
  for (const name of loaded) {
    for (const [, other = ""] of read(name).matchAll(/^const \w+ = require\("\.\/(.+)"\);$/gm)) loaded.add(other);
  }
  const having = (text: string) => names.filter((name) => read(name).includes(text));
  expect(having("// src/platform/http/server.ts").filter((name) => loaded.has(name))).toHaveLength(1);
  for (const late of ["// node_modules/undici/", "// src/engine/models/scripted/lexicons/"]) {
    expect(having(late).length).toBeGreaterThan(0);
    expect(having(late).filter((name) => loaded.has(name))).toEqual([]);
  }
});

test("a look at sources is another one after any change of them", async () => {
  // A module without types.
  const built = new URL("../../bin/build-once.js", import.meta.url).href;
  const { lookAt } = (await import(built)) as { lookAt: (sources: string[]) => string };
  const sources = join(folder, "sources");
  mkdirSync(join(sources, "room"), { recursive: true });
  const change = (name: string, text: string): string => {
    writeFileSync(join(sources, name), text);
    return lookAt([relative(".", sources)]);
  };
  const looks = [change("room/a.ts", "1"), change("room/b.ts", "1"), change("room/b.ts", "2"), change("c.ts", "")];
  expect(new Set([...looks, lookAt([relative(".", sources)])]).size).toBe(looks.length);
});
