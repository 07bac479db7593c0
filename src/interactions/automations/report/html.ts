import { barChart, escapeHtml, hourChart } from "./charts.ts";
import type { Count, TallyResult } from "./tally.ts";

/** Content policy that forbids every script and every request, in the service as well as from a disk. */
export const REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 720px; margin: 32px auto; padding: 0 16px; }
h1 { font-size: 24px; margin-bottom: 4px; } h2 { font-size: 17px; margin: 32px 0 8px; }
.about { opacity: .75; margin-top: 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); gap: 12px; }
dl div { border: 1px solid #8886; border-radius: 6px; padding: 8px 12px; }
dt { font-size: 13px; opacity: .75; } dd { margin: 0; font-size: 20px; }
svg { max-width: 100%; height: auto; font-size: 12px; }
svg rect { fill: #2f6fde; } svg rect.all { fill: #8886; } svg text { fill: currentColor; }
table { border-collapse: collapse; margin: 8px 0; } th, td { text-align: left; padding: 2px 16px 2px 0; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; }`;

/** Contents of a report page. */
export interface ReportPage {
  title: string;
  /** One line below the title. */
  about: string;
  /** Figures at the top. */
  figures: [label: string, value: string | number | null][];
  tally: TallyResult;
  /** Jobs of a digest. */
  jobs?: { name: string; status: string; reachedRows: number; machineRows: number; totalRows: number }[];
  /** Jobs of a digest that are not among those. */
  moreJobs?: number;
}

const SHOWN_VALUES = 10;
const SHOWN_FIELDS = 30;

/** Renders a report as one HTML file. Its charts are inline, and nothing in it runs or is fetched. */
export function reportHtml(page: ReportPage): string {
  const { tally } = page;
  const figures = page.figures.map(
    ([label, value]) =>
      `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value === null ? "–" : String(value))}</dd></div>`,
  );
  const { hours, timeZone } = tally.byHourOfDay;
  const fields = tally.extractedFields.slice(0, SHOWN_FIELDS);
  const body = [
    `<h1>${escapeHtml(page.title)}</h1><p class="about">${escapeHtml(page.about)}</p>`,
    `<dl>${figures.join("")}</dl>`,
    section("Outcomes", tally.byOutcome),
    section("States", tally.byStatus),
    section("How calls ended", tally.byEndReason),
    tally.calls === 0
      ? "<p>No calls.</p>"
      : `<h2>First attempts by hour (${escapeHtml(timeZone)})</h2>${hourChart("Calls by hour of the day, those that reached a person in front", hours)}`,
    jobsTable(page.jobs ?? [], page.moreJobs ?? 0),
    ...fields.map((field) => section(`${field.field} (${field.filled} filled)`, field.values)),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${REPORT_POLICY}"><meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer"><title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head>
<body><main>${body.join("\n")}</main></body></html>
`;
}

/** Renders a chart, and the same numbers as a table for readers who cannot see it. */
function section(heading: string, counts: readonly Count[]): string {
  if (counts.length === 0) return "";
  const shown = counts.slice(0, SHOWN_VALUES);
  const title = escapeHtml(heading);
  const rows = shown.map(
    ({ value, count }) => `<tr><td>${escapeHtml(value)}</td><td class="number">${count}</td></tr>`,
  );
  const more = counts.length - shown.length;
  return `<h2>${title}</h2>${barChart(heading, shown)}<details><summary>As a table</summary><table><thead><tr><th scope="col">Value</th><th scope="col">Calls</th></tr></thead><tbody>${rows.join("")}</tbody></table></details>${more > 0 ? `<p>${more} more in the JSON summary.</p>` : ""}`;
}

function jobsTable(jobs: NonNullable<ReportPage["jobs"]>, more: number): string {
  if (jobs.length === 0) return "";
  const rows = jobs.map(
    (job) =>
      `<tr><td>${escapeHtml(job.name)}</td><td>${escapeHtml(job.status)}</td><td class="number">${job.reachedRows}</td><td class="number">${job.machineRows}</td><td class="number">${job.totalRows}</td></tr>`,
  );
  return `<h2>Jobs that finished</h2><table><thead><tr><th scope="col">Job</th><th scope="col">State</th><th scope="col">Reached</th><th scope="col">Machine</th><th scope="col">Rows</th></tr></thead><tbody>${rows.join("")}</tbody></table>${more > 0 ? `<p>${more} more jobs.</p>` : ""}`;
}
