import type { Count } from "./tally.ts";

/** Escapes text for HTML or SVG. */
export function escapeHtml(text: string): string {
  const safe = text.replaceAll(/[^\P{Cc}\t\n\r]/gu, " ").toWellFormed();
  return safe
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

const BAR_HEIGHT = 24;
const LABEL_WIDTH = 220;
const BAR_WIDTH = 360;
const CHART_WIDTH = 640;
const LONGEST_LABEL = 32;

/** Horizontal bars, one for each count. The title tells a screen reader what the bars show. */
export function barChart(title: string, counts: readonly Count[]): string {
  const most = Math.max(1, ...counts.map((count) => count.count));
  const bars = counts.map(({ value, count }, i) => {
    const y = i * BAR_HEIGHT;
    const width = Math.max(1, Math.round((count / most) * BAR_WIDTH));
    return `<text x="${LABEL_WIDTH - 8}" y="${y + 16}" text-anchor="end">${escapeHtml(shorten(value))}</text><rect x="${LABEL_WIDTH}" y="${y + 4}" width="${width}" height="${BAR_HEIGHT - 8}" rx="2"/><text x="${LABEL_WIDTH + width + 6}" y="${y + 16}">${count}</text>`;
  });
  const reported = counts.map(({ value, count }) => `${value}: ${count}`).join(", ");
  return svg(title, reported, counts.length * BAR_HEIGHT, bars.join(""));
}

function shorten(text: string): string {
  const letters = Array.from(text);
  return letters.length <= LONGEST_LABEL ? text : `${letters.slice(0, LONGEST_LABEL - 1).join("")}…`;
}

const COLUMN_STEP = 26;
const PLOT_HEIGHT = 120;
const FIRST_X = 8;

/** A column for each hour of the day: all calls, and in front of them those answered by a person. */
export function hourChart(title: string, hours: readonly { hour: number; calls: number; reached: number }[]): string {
  const most = Math.max(1, ...hours.map((hour) => hour.calls));
  const column = (x: number, count: number, name: string) => {
    const height = Math.round((count / most) * PLOT_HEIGHT);
    return `<rect class="${name}" x="${x}" y="${PLOT_HEIGHT + 16 - height}" width="${COLUMN_STEP - 8}" height="${height}"/>`;
  };
  const parts = hours.map(({ hour, calls, reached }) => {
    const x = FIRST_X + hour * COLUMN_STEP;
    const middle = x + (COLUMN_STEP - 8) / 2;
    return `${column(x, calls, "all")}${column(x, reached, "good")}<text x="${middle}" y="${PLOT_HEIGHT + 32}" text-anchor="middle">${hour}</text>`;
  });
  const reported = hours
    .filter((hour) => hour.calls > 0)
    .map((hour) => `${hour.hour} h: ${hour.calls}, ${hour.reached} reached`);
  return svg(title, reported.join("; "), PLOT_HEIGHT + 40, parts.join(""));
}

function svg(title: string, description: string, height: number, content: string): string {
  const label = escapeHtml(`${title}. ${description}`);
  return `<svg role="img" aria-label="${label}" viewBox="0 0 ${CHART_WIDTH} ${Math.max(1, height)}" width="${CHART_WIDTH}" xmlns="http://www.w3.org/2000/svg"><title>${escapeHtml(title)}</title>${content}</svg>`;
}
