import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { ShownMetric } from "../kit/metrics-reader.ts";
import { makeTraffic, readMetrics } from "../kit/metrics-traffic.ts";
import { readQuery } from "../kit/promql.ts";
import { ROOT } from "../kit/repository.ts";
import { World } from "../kit/world.ts";

/* The dashboard, the alert rules and the table of docs/monitoring.md name what a server that was used really shows. */

const FOLDER = join(ROOT, "deploy/monitoring");
const page = readFileSync(join(ROOT, "docs/monitoring.md"), "utf8");
/** Metric and labels that Prometheus itself adds to a scrape. */
const SCRAPE = { metric: "up", labels: ["instance", "job"] };

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string; legendFormat: string }[];
}
interface Alert {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

const { panels } = JSON.parse(readFileSync(join(FOLDER, "grafana-parley.json"), "utf8")) as { panels: Panel[] };
const { groups } = parse(readFileSync(join(FOLDER, "alerts.yml"), "utf8")) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
const targets = panels.flatMap(({ title, targets: of = [] }) => of.map((target) => ({ title, ...target })));
/** Every query with its place; Grafana puts a duration where the dashboard names its variable. */
const queries = [
  ...targets.map(({ title, expr }) => ({ place: `panel ${title}`, expr: expr.replaceAll("$__rate_interval", "5m") })),
  ...alerts.map(({ alert, expr }) => ({ place: `alert ${alert}`, expr })),
];

let world: World;
let shown: Map<string, ShownMetric>;
let text: string;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  await makeTraffic(world);
  shown = await readMetrics(world);
  ({ text } = await world.request("GET", "/metrics", { key: null }));
});
afterAll(() => world[Symbol.asyncDispose]());

/** Returns the name under which `/metrics` declares a metric: of a histogram, without the suffix of its samples. */
function declaredName(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, "");
  return shown.get(base)?.type === "histogram" ? base : name;
}

describe("a query of the dashboard or of an alert", () => {
  test("names only metrics that a server shows, with labels that they have", () => {
    expect(queries.length).toBeGreaterThan(50);
    const faults: string[] = [];
    for (const { place, expr } of queries) {
      for (const { name, labels } of readQuery(expr)) {
        const metric = shown.get(declaredName(name));
        if (!metric && name !== SCRAPE.metric) faults.push(`${place}: there is no ${name}`);
        const known = new Set([
          ...(metric?.labels ?? []),
          ...SCRAPE.labels,
          ...(name.endsWith("_bucket") ? ["le"] : []),
        ]);
        for (const label of labels) if (!known.has(label)) faults.push(`${place}: ${name} has no label ${label}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("takes the rate of counters alone, and compares no counter by itself", () => {
    for (const { place, expr } of queries) {
      for (const { name } of readQuery(expr)) {
        const isCounter = shown.get(name)?.type === "counter" || declaredName(name) !== name;
        const isRated = new RegExp(`(rate|increase)\\(${name}\\b`).test(expr);
        expect(isRated, `${place}: ${name}`).toBe(isCounter);
      }
    }
  });

  test("counts single events from 0: the first sample of a series is no increase to Prometheus", () => {
    const counted = queries.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)\{(\w+="\w+")\}/g)]);
    expect(counted.length).toBeGreaterThan(2);
    for (const [, name = "", label = ""] of counted) {
      const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) && line.includes(label));
      expect(lines, `${name}{${label}}`).not.toEqual([]);
    }
  });

  test("counts no answer of /ready as an error, which is 503 for as long as a node drains", async () => {
    const http = alerts.flatMap(({ expr }) => expr.match(/parley_http_\w+(\{[^}]*\})?/g) ?? []);
    expect(http.length).toBeGreaterThan(0);
    expect(http.filter((selector) => !selector.includes('route!="/ready"'))).toEqual([]);
    await world.request("GET", "/ready", { key: null });
    const reply = await world.request("GET", "/metrics", { key: null });
    expect(reply.text).toMatch(/^parley_http_request_duration_seconds_count\{.*route="\/ready"/m);
  });

  test("uses each metric of Parley's own somewhere", () => {
    const used = new Set(queries.flatMap(({ expr }) => readQuery(expr).map(({ name }) => declaredName(name))));
    expect(ownNames().filter((name) => !used.has(name))).toEqual([]);
  });
});

const ownNames = (): string[] => [...shown.keys()].filter((name) => name.startsWith("parley_"));

test("the legend of a panel names labels that its query keeps", () => {
  for (const { title, expr, legendFormat } of targets) {
    const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    const by = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/,\s*/));
    const kept =
      by.length > 0
        ? by
        : [
            ...SCRAPE.labels,
            ...readQuery(expr.replaceAll("$__rate_interval", "5m")).flatMap(({ name }) => [
              ...(shown.get(name)?.labels ?? []),
            ]),
          ];
    expect(
      named.filter((label) => !kept.includes(label ?? "")),
      title,
    ).toEqual([]);
  }
});

test("every alert has a time, a severity, a summary, and a section of the page that says what to do", () => {
  for (const { alert, for: pending, labels, annotations } of alerts) {
    expect(pending, alert).toMatch(/^\d+m$/);
    expect(["critical", "warning"], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toMatch(/^[A-Z{].+\.$/);
    expect(annotations.runbook_url).toBe(`docs/monitoring.md#${alert.toLowerCase()}`);
  }
  const sections = [...page.matchAll(/^### (Parley\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(alerts.map(({ alert }) => alert));
});

test("the table of the page is what a server shows", () => {
  const rows = [...page.matchAll(/^\| `(parley_\w+)` \| (\w+) \|(.*?)\| (.*) \|$/gm)];
  const listed = rows.map(([, name = "", type, labels = "", meaning]) => {
    return { name, type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label), meaning };
  });
  const own = ownNames().map((name) => {
    const { type, labels, help } = shown.get(name) as ShownMetric;
    return { name, type, labels: [...labels], meaning: help };
  });
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect(listed.toSorted(byName)).toEqual(own.toSorted(byName));
});

const promtool = (args: string[], input = "") => spawnSync("promtool", args, { input, encoding: "utf8", cwd: FOLDER });

test("promtool finds no fault in the rules, the configuration and the metrics", ({ skip }) => {
  skip(promtool(["--version"]).error !== undefined, "promtool is not installed: apt-get install prometheus.");
  for (const args of [
    ["check", "config", "prometheus.yml"],
    ["check", "rules", "alerts.yml"],
  ]) {
    const checked = promtool(args);
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);
  }
  // Its remarks on the metrics of the process are not ours to follow.
  const remarks = promtool(["check", "metrics"], text);
  expect(`${remarks.stdout}${remarks.stderr}`.split("\n").filter((line) => line.startsWith("parley_"))).toEqual([]);
});
