import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { findUser } from "../../deploy/ha/machines.ts";
import { type Member, MEMBERS, readSettings, render, type Settings, writeFiles } from "../../deploy/ha/render.ts";
import { freePort } from "../kit/free-port.ts";
import { ROOT } from "../kit/repository.ts";

/* The files of deploy/ha, read by the programs that they are for. */

const folder = mkdtempSync(join(tmpdir(), "parley-ha-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SECRETS = ["SUPERUSER", "REPLICATION", "REST", "DATABASE"].map((name) => `HA_${name}_PASSWORD`);
const secretOf = (name: string) => `${name}-secret`.replaceAll("_", "-");
const settings: Settings = {
  ...readSettings(""),
  ...Object.fromEntries(
    MEMBERS.flatMap((n) => [`HA_ADDRESS_${n}`, `HA_PUBLIC_${n}`].map((key) => [key, `127.0.79.${n}`])),
  ),
  ...Object.fromEntries(SECRETS.map((name) => [name, secretOf(name)])),
  HA_CONFIG: folder,
  HA_POSTGRES_DATA: join(folder, "data"),
};
const textOf = (name: string, member: Member = 1) => render(settings, member).get(name) as string;

const ENV = { PATH: `${process.env.PATH ?? ""}:/usr/sbin`, LANG: "C.UTF-8" };
const run = (program: string, ...args: string[]) => spawnSync(program, args, { env: ENV, encoding: "utf8" });
const skipsWithout = (program: string, flag: string) => {
  const isMissing = run(program, flag).error !== undefined;
  return { isMissing, why: isMissing ? ` (skipped: no ${program})` : "" };
};

test("secrets have no default, are in no template, and in three files of their owner's alone", () => {
  expect(SECRETS.map((name) => readSettings("")[name])).toEqual(SECRETS.map(() => ""));
  const templates = join(ROOT, "deploy/ha/templates");
  const sources = readdirSync(templates).map((name) => readFileSync(join(templates, name), "utf8"));
  const given = sources.join("\n").match(/\bpassword:? +\S+/g) ?? [];
  expect(given.filter((text) => !/@HA_[A-Z]+_PASSWORD@/.test(text))).toEqual([]);
  expect(given.length).toBeGreaterThan(3);
  writeFiles(settings, 1, folder);
  const secret = [...render(settings, 1)].filter(([, text]) => SECRETS.some((name) => text.includes(secretOf(name))));
  expect(secret.map(([name]) => name).toSorted()).toEqual(["database.sql", "patroni.yml", "pgbouncer-users.txt"]);
});

test("a missing setting, a short secret, and one that would be read as code are refused by their name", () => {
  const renderWith = (more: Settings) => () => render({ ...settings, ...more }, 1);
  expect(renderWith({ HA_ADDRESS_2: "" })).toThrow("HA_ADDRESS_2 is not set.");
  expect(renderWith({ HA_REST_PASSWORD: "short" })).toThrow(/HA_REST_PASSWORD needs at least 16/);
  expect(renderWith({ HA_DATABASE_PASSWORD: "0123456789abcdef' superuser --" })).toThrow(/HA_DATABASE_PASSWORD/);
  expect(renderWith({ HA_CLUSTER: "a\nb: c" })).toThrow(/HA_CLUSTER may not be/);
});

interface PatroniFile {
  etcd?: object;
  bootstrap: { dcs: Record<string, number | boolean> };
}

test("Patroni's times are such as it demands, and nothing is acknowledged on one machine alone", () => {
  const { bootstrap, etcd } = parse(textOf("patroni.yml")) as PatroniFile;
  const { ttl, loop_wait: loop, retry_timeout: retry, ...dcs } = bootstrap.dcs;
  expect(Number(ttl)).toBeGreaterThanOrEqual(Number(loop) + 2 * Number(retry));
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
  // Protocol 3 of Debian's version renews a leader's key that another machine has taken meanwhile.
  expect(etcd).toBeDefined();
  expect(parse(textOf("etcd.yml"))).toMatchObject({ "enable-v2": true });
});

test("PgBouncer has as many connections as a node opens", () => {
  const most = /A node opens at most (\d+) connections/.exec(
    readFileSync(join(ROOT, "docs/operations.md"), "utf8"),
  )?.[1];
  expect(Number(/^default_pool_size = (\d+)$/m.exec(textOf("pgbouncer.ini"))?.[1])).toBeGreaterThanOrEqual(
    Number(most),
  );
});

const etcd = skipsWithout("etcd", "--version");
test.skipIf(etcd.isMissing)(`etcd knows every setting${etcd.why}`, () => {
  const { stdout, stderr } = run("etcd", "--help");
  const unknown = Object.keys(parse(textOf("etcd.yml")) as object).filter(
    (name) => !(stdout + stderr).includes(`--${name}`),
  );
  expect(unknown).toEqual([]);
});

const haproxy = skipsWithout("haproxy", "-v");
test.skipIf(haproxy.isMissing)(`HAProxy accepts its file without a warning${haproxy.why}`, () => {
  writeFiles(settings, 2, folder);
  const { status, stdout, stderr } = run("haproxy", "-c", "-f", join(folder, "haproxy.cfg"));
  expect({ status, said: stderr.match(/WARNING|ALERT/g), out: stdout.trim() }).toEqual({
    status: 0,
    said: null,
    out: "Configuration file is valid",
  });
});

const isRoot = process.getuid?.() === 0;
test.skipIf(haproxy.isMissing || !isRoot)(
  `HAProxy that root started serves as another user${haproxy.why || (isRoot ? "" : " (skipped: not root)")}`,
  async () => {
    const ports = { HA_API_PORT: String(await freePort()), HA_LOCAL: "127.0.79.9" };
    writeFiles({ ...settings, ...ports }, 2, folder);
    const child = spawn("haproxy", ["-db", "-f", join(folder, "haproxy.cfg")], { env: ENV, stdio: "ignore" });
    const gone = new Promise((resolve) => child.once("exit", resolve));
    const isOpen = () => fetch(`http://127.0.79.2:${ports.HA_API_PORT}/ready`).then(({ status }) => status);
    await expect.poll(() => isOpen().catch(() => null), { timeout: 5_000 }).toBe(503);
    const ids = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
    child.kill("SIGKILL");
    await gone;
    expect(Number(ids)).toBeGreaterThan(0);
  },
);

const kamailio = skipsWithout("kamailio", "-v");
test.skipIf(kamailio.isMissing)(`Kamailio accepts its file${kamailio.why}`, () => {
  writeFiles(settings, 3, folder);
  const { status, stderr } = run("kamailio", "-c", "-Y", folder, "-f", join(folder, "kamailio.cfg"));
  expect({ status, errors: stderr.match(/^.*(ERROR|CRITICAL).*$/gm) }).toEqual({ status: 0, errors: null });
});

const patroni = skipsWithout("patroni", "--version");
test.skipIf(patroni.isMissing)(`Patroni's own check finds no fault${patroni.why}`, () => {
  mkdirSync(join(folder, "data/15"), { recursive: true });
  writeFiles(settings, 1, folder);
  const path = join(folder, "patroni.yml");
  const user = findUser();
  if (user) {
    chmodSync(folder, 0o755);
    for (const owned of ["patroni.yml", "data", "data/15"]) chownSync(join(folder, owned), user.uid, user.gid);
  }
  const { stderr } = spawnSync("patroni", ["--validate-config", path], { env: ENV, encoding: "utf8", ...user });
  // No etcd runs here. The check also wants two settings that Patroni's documentation calls optional.
  const expected = /is not reachable|^(bootstrap\.pg_hba|postgresql\.authentication\.rewind) {2}is not defined/;
  const lines = stderr.split("\n").filter((line) => line !== "");
  expect(lines.filter((line) => line.includes("is not reachable"))).toHaveLength(MEMBERS.length);
  expect(lines.filter((line) => !expected.test(line))).toEqual([]);
});

const pgbouncer = skipsWithout("pgbouncer", "--version");
test.skipIf(pgbouncer.isMissing)(`PgBouncer knows every setting${pgbouncer.why}`, async () => {
  writeFiles({ ...settings, HA_LOCAL: "127.0.0.1" }, 1, folder);
  chmodSync(folder, 0o755);
  const path = join(folder, "pgbouncer.ini");
  const text = readFileSync(path, "utf8").replace(/^listen_port = .*$/m, `listen_port = ${await freePort()}`);
  writeFileSync(path, text);
  const user = findUser();
  if (user) chownSync(join(folder, "pgbouncer-users.txt"), user.uid, user.gid);
  const child = spawn("pgbouncer", [path], { env: ENV, stdio: ["ignore", "ignore", "pipe"], ...user });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const gone = new Promise((resolve) => child.once("exit", resolve));
  await expect.poll(() => said).toContain("process up");
  child.kill("SIGINT");
  await gone;
  expect(said.match(/^.*(WARNING|ERROR|FATAL).*$/gm)).toBeNull();
});
