import type { StageFunnel } from "@parley/sdk";
import type { StageMarks, StageTraffic } from "#web/domain/stage/stage-map.ts";
import { t } from "#web/i18n/t.ts";
import { formatNumber, formatShare } from "#web/ui/format/format.ts";

/** Returns a funnel as the map shows it: words and widths, and marks of what nobody came through. */
export function toTraffic({ sessions, stages }: StageFunnel): { traffic: StageTraffic; marks: StageMarks } {
  const traffic: StageTraffic = { stages: new Map(), edges: new Map() };
  const marks = { stages: new Map(), edges: new Map() } satisfies StageMarks;
  if (sessions === 0) return { traffic, marks };
  for (const { stageId, entered, endedHere, edges } of stages) {
    const ended = endedHere === 0 ? "" : t` · ${formatNumber(endedHere)} ended here`;
    const words = t`${formatNumber(entered)} reached it${ended}`;
    traffic.stages.set(stageId, { words, share: entered / sessions });
    if (entered === 0) marks.stages.set(stageId, "MISSED");
    for (const { edgeId, taken } of edges) {
      const id = `${stageId}.${edgeId}`;
      traffic.edges.set(id, { words: `${formatNumber(taken)}×`, share: taken / sessions });
      if (taken === 0) marks.edges.set(id, "MISSED");
    }
  }
  return { traffic, marks };
}

/** Returns a count with its share of the whole, such as "12 (40 %)". */
export function withShare(count: number, whole: number): string {
  return whole === 0 ? formatNumber(count) : `${formatNumber(count)} (${formatShare(count / whole)})`;
}
