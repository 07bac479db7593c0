import { expect, test } from "vitest";
import { barChart, escapeHtml } from "./charts.ts";
import { reportHtml } from "./html.ts";
import type { ReportRow } from "./report-row.ts";
import { Tally } from "./tally.ts";

const ATTACK = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

function hostilePage(): string {
  const tally = new Tally("UTC");
  const row = {
    status: "COMPLETED",
    outcome: "ANSWERED",
    end_reason: ATTACK,
    answered_by: "HUMAN",
    attempts_made: 1,
    duration_ms: 1_000,
    started_at: new Date(0),
    extracted_fields: { [ATTACK]: ATTACK },
  };
  tally.add(row as unknown as ReportRow);
  const jobs = [{ name: ATTACK, status: ATTACK, reachedRows: 1, machineRows: 0, totalRows: 1 }];
  return reportHtml({ title: ATTACK, about: ATTACK, figures: [[ATTACK, ATTACK]], tally: tally.result, jobs });
}

test("what people said and what jobs are called becomes text, never a tag", () => {
  const html = hostilePage();
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<img");
  expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(5);
});

test("a report fetches nothing: its policy allows no source and it names no host but the SVG namespace", () => {
  const html = hostilePage();
  expect(html).toContain(`content="default-src 'none';`);
  const hosts = [...html.matchAll(/https?:\/\/[^"' <]+/g)].map((match) => match[0]);
  expect(new Set(hosts)).toEqual(new Set(["http://www.w3.org/2000/svg"]));
  const tags = html.replaceAll(/"[^"]*"/g, "").match(/<[^>]*>/g) ?? [];
  expect(tags.length).toBeGreaterThan(50);
  expect(tags.filter((tag) => /\b(src|href|on\w+)=/.test(tag))).toEqual([]);
});

test("a chart says its numbers to a screen reader", () => {
  const svg = barChart("Outcomes", [
    { value: "ANSWERED", count: 3 },
    { value: "BUSY", count: 1 },
  ]);
  expect(svg).toContain('role="img"');
  expect(svg).toContain('aria-label="Outcomes. ANSWERED: 3, BUSY: 1"');
  const widths = [...svg.matchAll(/<rect[^>]*width="(\d+)"/g)].map((match) => Number(match[1]));
  expect((widths[0] as number) / (widths[1] as number)).toBeCloseTo(3, 1);
});

test("control characters and halves of surrogate pairs do not get into a page", () => {
  expect(escapeHtml("a\u0000b\ud800c")).toBe("a b\ufffdc");
});
