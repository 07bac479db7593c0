import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { ROOT } from "../kit/repository.ts";
import { findSettingNames } from "../kit/setting-names.ts";

/** Variables that Node reads by itself. */
const OF_NODE = ["NODE_ENV", "NODE_COMPILE_CACHE", "UV_THREADPOOL_SIZE", "HOME"];
const CHART = join(ROOT, "deploy/helm/parley");
const known = new Set([...findSettingNames(), ...OF_NODE]);

const values = parse(readFileSync(join(CHART, "values.yaml"), "utf8")) as Record<string, object>;

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const unknown = (names: string[]) => names.filter((name) => !known.has(name));

/** Returns the paths of the routes that `src/app` declares. */
function findPaths(): string[] {
  return globSync("src/app/**/*.ts", { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/^\s+path: "(\/[\w.]*)",$/gm)].map((match) => match[1] as string),
  );
}

/** Returns the default of a whole number among the settings. */
function defaultOf(name: string): number {
  const sources = globSync("src/platform/config/*.ts", { cwd: ROOT }).map(read).join("\n");
  return Number(new RegExp(`readInteger\\(env, "${name}", ([\\d_]+)`).exec(sources)?.[1]?.replaceAll("_", ""));
}

const dockerfile = read("Dockerfile");
const inImage = Object.fromEntries(
  [...dockerfile.matchAll(/^(?:ENV|\s)\s+([A-Z_]+)=(\S+)/gm)].map(([, name, value]) => [name, value]),
);

test("the image runs as an ordinary user, with settings that exist, and its health is asked at a path that exists", () => {
  expect(unknown(Object.keys(inImage))).toEqual([]);
  expect(inImage).toMatchObject({ HOST: "0.0.0.0", PORT: String(defaultOf("PORT")) });
  expect(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]).toBe(inImage.PORT);
  expect(/^VOLUME (.+)$/m.exec(dockerfile)?.[1]).toBe(inImage.DATA_DIR);
  const users = [...dockerfile.matchAll(/^USER (\d+):\d+$/gm)].map((match) => Number(match[1]));
  expect(users.at(-1)).toBeGreaterThan(999);
  expect(findPaths()).toContain(/PORT\}(\/\w+)`/.exec(dockerfile)?.[1]);
  for (const form of [/^ENTRYPOINT \[/m, /^CMD \[/m, /^STOPSIGNAL SIGTERM$/m]) expect(dockerfile).toMatch(form);
});

test("the image has the Node that the launcher fetches", () => {
  const version = /^const VERSION = "(.+)";$/m.exec(read("bin/runtime.js"))?.[1];
  expect(/^ARG NODE_IMAGE=\S+:([\d.]+)-/m.exec(dockerfile)?.[1]).toBe(version);
});

test("everything that Dockerfile copies is let in by .dockerignore, which lets in nothing else", () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));
  const letIn = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map((match) => match[1] as string);
  const tops = copied.map((name) => name.split("/")[0]);
  expect(new Set(letIn)).toEqual(new Set(tops));
  expect(read(".dockerignore")).toMatch(/^\*$/m);
});

interface Service {
  environment: Record<string, string | number>;
  ports?: string[];
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period: string;
  healthcheck: { test: string[] };
}

test("the compose file has settings that exist, no secret, and time for the drain", () => {
  const { services } = parse(read("deploy/compose/compose.yml")) as { services: Record<string, Service> };
  const { parley, postgres } = services as { parley: Service; postgres: Service };
  expect(unknown(Object.keys(parley.environment))).toEqual([]);
  expect(parley.environment.DRAIN_SECONDS).toBe(values.drainSeconds);
  expect(values.drainSeconds).toBe(defaultOf("DRAIN_SECONDS"));
  const minutes = Number(/^(\d+)m$/.exec(parley.stop_grace_period)?.[1]);
  expect(minutes * 60).toBeGreaterThan(Number(parley.environment.DRAIN_SECONDS));
  expect(parley.ports).toEqual([`127.0.0.1:8080:${inImage.PORT}`]);
  const health = parley.healthcheck.test.join(" ");
  expect(findPaths()).toContain(new RegExp(`:${inImage.PORT}(/\\w+)'`).exec(health)?.[1]);
  for (const { read_only, cap_drop, security_opt } of [parley, postgres]) {
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
  }
  // The temporary server of the image's set-up has no port.
  expect(postgres.healthcheck.test).toContain("--host=127.0.0.1");
  const secrets = [
    parley.environment.DATABASE_URL,
    parley.environment.PARLEY_SECRET,
    postgres.environment.POSTGRES_PASSWORD,
  ];
  for (const secret of secrets) expect(secret).toMatch(/\$\{[A-Z_]+:\?/);
  const example = read("deploy/compose/.env.example");
  const asked = [...read("deploy/compose/compose.yml").matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1]);
  for (const name of asked) expect(example).toMatch(new RegExp(`^${name}=$`, "m"));
});

test("git leaves out the files with the secrets of the compose file", () => {
  const ignored = read(".gitignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining(["/deploy/compose/.env", "/deploy/compose/parley.env"]));
});

const unit = read("deploy/systemd/parley.service");
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map((match) => match[1] ?? "");

test("the systemd unit has settings that exist, files that exist, and time for the drain", () => {
  const set = Object.fromEntries(valuesOf("Environment").map((pair) => pair.split("=") as [string, string]));
  expect(unknown(Object.keys(set))).toEqual([]);
  expect(Number(set.DRAIN_SECONDS)).toBe(values.drainSeconds);
  expect(Number(valuesOf("TimeoutStopSec")[0])).toBeGreaterThan(Number(set.DRAIN_SECONDS));
  expect(set.DATA_DIR).toBe(`/var/lib/${valuesOf("StateDirectory")[0]}`);
  const [script = ""] = /\/opt\/parley\/(\S+)/.exec(valuesOf("ExecStart")[0] ?? "")?.slice(1) ?? [];
  expect(existsSync(join(ROOT, script))).toBe(true);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)(`systemd understands the unit${hasSystemd ? "" : " (skipped: no systemd-analyze)"}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-unit-"));
  try {
    const path = join(folder, "parley.service");
    writeFileSync(path, unit.replace("=/usr/bin/node", `=${process.execPath}`));
    const { stdout, stderr, status } = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
    expect({ said: `${stdout}${stderr}`.split("\n").filter((line) => line.includes(path)), status }).toEqual({
      said: [],
      status: 0,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const NEEDED = { secretName: "parley", publicUrl: "https://parley.example.com" };

test("the chart's values fit their schema, which asks for what has no default and refuses what it does not know", () => {
  const schema = JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8")) as object;
  const fits = new Ajv({ strict: false }).compile(schema);
  expect(fits({ ...values, ...NEEDED })).toBe(true);
  expect(fits(values)).toBe(false);
  expect(fits({ ...values, ...NEEDED, publicUrl: "https://parley.example.com/path" })).toBe(false);
  expect(fits({ ...values, ...NEEDED, drainSecond: 900 })).toBe(false);
});

test("what the chart's templates name exists", () => {
  const templates = globSync("templates/*.yaml", { cwd: CHART }).map((name) => readFileSync(join(CHART, name), "utf8"));
  const text = templates.join("\n");
  const names = [...text.matchAll(/^\s+(?:- name: )?([A-Z][A-Z0-9_]{2,})(?::|$)/gm)].map((match) => match[1] as string);
  expect(names.length).toBeGreaterThan(8);
  expect(unknown(names)).toEqual(["POD_IP"]);
  const paths = [...text.matchAll(/httpGet: \{ path: (\S+),/g)].map((match) => match[1] as string);
  expect(paths).toEqual(["/health", "/health", "/ready"]);
  expect(findPaths()).toEqual(
    expect.arrayContaining([...paths, values.podAnnotations?.["prometheus.io/path" as never]]),
  );
  expect(read("src/app/metrics/process-metrics.ts")).toContain(`"${/name: (parley_\w+)/.exec(text)?.[1]}"`);
});

test("a pod that migrates is not killed for as long as a migration waits for its locks", () => {
  const probe = /startupProbe:[^]*?periodSeconds: (\d+)[^]*?failureThreshold: (\d+)/.exec(
    readFileSync(join(CHART, "templates/deployment.yaml"), "utf8"),
  );
  const [seconds = 0, times = 0] = probe?.slice(1).map(Number) ?? [];
  // docs/upgrade.md: half an hour; indexes of large tables are built besides.
  expect(seconds * times).toBeGreaterThan(1_800);
});

const hasHelm = spawnSync("helm", ["version"]).status === 0;
const withoutHelm = hasHelm ? "" : " (skipped: no helm)";

/** Renders the chart with values; returns its documents by their kind. Throws what helm says when it refuses them. */
function render(set: Record<string, string | number | boolean>): Map<string, unknown> {
  const pairs = Object.entries(set).map(([name, value]) => `--set=${name}=${value}`);
  const args = ["template", "parley", CHART, "--kube-version=1.31.0", ...pairs];
  const documents = parseAllDocuments(execFileSync("helm", args, { encoding: "utf8", stdio: "pipe" }));
  for (const { errors } of documents) expect(errors).toEqual([]);
  return new Map(documents.map((document) => [document.get("kind") as string, document.toJS() as unknown]));
}

interface PodSpec {
  terminationGracePeriodSeconds: number;
  hostNetwork?: boolean;
  securityContext: object;
  containers: [
    {
      ports: { containerPort: number }[];
      env: { name: string; value?: string }[];
      securityContext: object;
      lifecycle: { preStop: { exec: { command: string[] } } };
    },
  ];
  volumes: { name: string }[];
}
const podOf = (documents: Map<string, unknown>) =>
  (documents.get("Deployment") as { spec: { template: { spec: PodSpec } } }).spec.template.spec;
const dataOf = (documents: Map<string, unknown>) =>
  (documents.get("ConfigMap") as { data: Record<string, string> }).data;

test.skipIf(!hasHelm)(`a pod has a minute more than its drain, and may do nothing but serve${withoutHelm}`, () => {
  const documents = render({ ...NEEDED, "recordings.existingClaim": "recordings", drainSeconds: 120 });
  expect([...documents.keys()].toSorted()).toEqual(["ConfigMap", "Deployment", "PodDisruptionBudget", "Service"]);
  const pod = podOf(documents);
  expect([dataOf(documents).DRAIN_SECONDS, pod.terminationGracePeriodSeconds]).toEqual(["120", 180]);
  // Requests reach a pod for some seconds after its end has begun, until all proxies know of it.
  const [command, seconds] = pod.containers[0].lifecycle.preStop.exec.command;
  expect([command, seconds]).toEqual(["sleep", "10"]);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(120 + Number(seconds));
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  const [container] = pod.containers;
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(container.ports.map(({ containerPort }) => containerPort)).toEqual([Number(inImage.PORT)]);
  const nodeUrl = container.env.find(({ name }) => name === "PARLEY_NODE_URL")?.value;
  expect(nodeUrl).toBe(`http://$(POD_IP):${inImage.PORT}`);
  expect(pod.volumes).toContainEqual({ name: "recordings", persistentVolumeClaim: { claimName: "recordings" } });
});

test.skipIf(!hasHelm)(`the chart refuses to lose recordings unless it is asked to${withoutHelm}`, () => {
  expect(() => render(NEEDED)).toThrow(/recordings\.existingClaim/);
  expect(podOf(render({ ...NEEDED, "recordings.ephemeral": true })).volumes).toContainEqual({
    name: "recordings",
    emptyDir: {},
  });
});

test.skipIf(!hasHelm)(`pods with IPv6 addresses alone listen there, and name theirs in brackets${withoutHelm}`, () => {
  const documents = render({ ...NEEDED, "recordings.ephemeral": true, ipv6: true });
  expect(dataOf(documents).HOST).toBe("::");
  const { value } = podOf(documents).containers[0].env.find(({ name }) => name === "PARLEY_NODE_URL") ?? {};
  const url = new URL(String(value).replace("$(POD_IP)", "fd00:10:244::7"));
  expect([url.hostname, url.port]).toEqual(["[fd00:10:244::7]", inImage.PORT]);
});

test.skipIf(!hasHelm)(`SIP, an ingress and scaling come on request${withoutHelm}`, () => {
  const more = {
    "sip.enabled": true,
    "ingress.enabled": true,
    "autoscaling.enabled": true,
    "config.LOG_LEVEL": "info",
  };
  const documents = render({ ...NEEDED, "recordings.ephemeral": true, ...more });
  expect(unknown(Object.keys(dataOf(documents)))).toEqual([]);
  expect(dataOf(documents)).toMatchObject({ LOG_LEVEL: "info", SIP_PORT: "5060", RTP_PORTS: "20000-20999" });
  const pod = podOf(documents);
  expect(pod.hostNetwork).toBe(true);
  expect(pod.containers[0].env).toContainEqual({ name: "SIP_HOST", value: "$(POD_IP)" });
  const { rules } = (documents.get("Ingress") as { spec: { rules: { host: string }[] } }).spec;
  expect(rules.map(({ host }) => host)).toEqual(["parley.example.com"]);
  expect((documents.get("Deployment") as { spec: object }).spec).not.toHaveProperty("replicas");
  expect(documents.has("HorizontalPodAutoscaler")).toBe(true);
});
