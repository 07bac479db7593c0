import { type Edge, MarkerType, type Node, Position } from "@xyflow/react";
import { t } from "#web/i18n/t.ts";
import { STAGE_SIZE } from "./stage-layout.ts";
import type { MapNode, StageMark } from "./stage-node.tsx";
import { describeEdge, type NameOf } from "./stage-words.ts";
import { nameOfId, nameOfStage, type Place, type Stage, STAGE_TYPES, type StageEdge, startOf } from "./stage.ts";

/** States of stages and edges while, or after, sessions ran; edges by `stageId.edgeId`. */
export interface StageMarks {
  stages: Map<string, StageMark>;
  edges?: Map<string, StageMark>;
}

/** Sessions that came through a stage or an edge: in words, and as a share of them all from 0 to 1. */
export interface Traffic {
  words: string;
  share: number;
}

/** Traffic of the stages by their id, and of the edges by `stageId.edgeId`. */
export interface StageTraffic {
  stages: Map<string, Traffic>;
  edges: Map<string, Traffic>;
}

interface Chosen {
  stageId: string;
  edgeId: string | null;
}

const { width, height } = STAGE_SIZE;
/** Distance of an edge from the stages that it is drawn beside, in pixels at zoom 1. */
const ASIDE = 66;
const LONGEST_LABEL = 30;
/** Widths of an edge that nobody and that everybody takes, in pixels at zoom 1. */
const STROKE = { least: 1, most: 7 } as const;
const middle = { x: width / 2, width: 1, height: 1 };
const side = { y: height / 2, width: 1, height: 1 };
const HANDLES: NonNullable<Node["handles"]> = [
  { id: "in", type: "target", position: Position.Top, y: 0, ...middle },
  { id: "out", type: "source", position: Position.Bottom, y: height, ...middle },
  { id: "right-out", type: "source", position: Position.Right, x: width, ...side },
  { id: "right-in", type: "target", position: Position.Right, x: width, ...side },
  { id: "left-out", type: "source", position: Position.Left, x: 0, ...side },
  { id: "left-in", type: "target", position: Position.Left, x: 0, ...side },
];

/** Returns the nodes of a map; their size is fixed, so that they are drawn without being measured. */
export function toMapNodes(
  stages: Stage[],
  places: Map<string, Place>,
  look: {
    chosen: Chosen | null;
    warnings?: Map<string, string[]> | undefined;
    marks?: StageMarks | undefined;
    traffic?: StageTraffic | undefined;
  },
): MapNode[] {
  const start = startOf(stages);
  return stages.map((stage) => {
    const warnings = look.warnings?.get(stage.id) ?? [];
    const isChosen = look.chosen?.stageId === stage.id && look.chosen.edgeId === null;
    const mark = look.marks?.stages.get(stage.id) ?? null;
    const traffic = look.traffic?.stages.get(stage.id) ?? null;
    return {
      id: stage.id,
      type: "stage",
      position: places.get(stage.id) ?? { x: 0, y: 0 },
      width,
      height,
      measured: { width, height },
      handles: HANDLES,
      selected: isChosen,
      ariaLabel: [
        nameOfStage(stage),
        STAGE_TYPES[stage.type].label,
        ...(mark ? [MARK_WORDS[mark]] : []),
        ...(traffic ? [traffic.words] : []),
        ...warnings,
      ].join(", "),
      data: { stage, isStart: stage === start, warnings, mark, traffic },
    };
  });
}

/** The marks in words. */
const MARK_WORDS: Record<StageMark, string> = {
  CURRENT: t`here now`,
  PASSED: t`walked through`,
  MISSED: t`not entered`,
};

/** Returns the edges of a map, each with its label, or its condition in words. */
export function toMapEdges(
  stages: Stage[],
  places: Map<string, Place>,
  look: {
    chosen: Chosen | null;
    marks?: StageMarks | undefined;
    traffic?: StageTraffic | undefined;
    nameOf?: NameOf | undefined;
  },
): Edge[] {
  const known = new Set(stages.map(({ id }) => id));
  return stages.flatMap((stage) =>
    stage.edges
      .filter(({ to }) => known.has(to))
      .map((edge) => {
        const id = `${stage.id}.${edge.id}`;
        const mark = look.marks?.edges?.get(id);
        const traffic = look.traffic?.edges.get(id);
        return {
          id,
          source: stage.id,
          target: edge.to,
          type: "smoothstep",
          ...routeEdge(stage.id, edge.to, places),
          label: shorten(describeEdge(edge, look.nameOf)) + (traffic ? ` · ${traffic.words}` : ""),
          ...(traffic ? { style: { strokeWidth: widthOf(traffic) } } : {}),
          labelBgPadding: [5, 3] as [number, number],
          labelBgBorderRadius: 4,
          markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18, markerUnits: "userSpaceOnUse" },
          selected: look.chosen?.stageId === stage.id && look.chosen.edgeId === edge.id,
          ...(mark ? { className: `edge-${mark.toLowerCase()}` } : {}),
          ariaLabel: nameEdge(stages, stage, edge, look.nameOf) + (traffic ? `, ${traffic.words}` : ""),
        };
      }),
  );
}

/** Returns an edge in words: from, to, label or condition. */
export function nameEdge(stages: Stage[], from: Stage, edge: StageEdge, nameOf?: NameOf): string {
  return t`Edge from ${nameOfStage(from)} to ${nameOfId(stages, edge.to)}: ${describeEdge(edge, nameOf)}`;
}

/**
 * Returns the ends of an edge: down to a stage below when nothing is in between, beside the stages on the right when
 * something is, and on the left when it goes back up.
 */
function routeEdge(from: string, to: string, places: Map<string, Place>) {
  const [start, end] = [places.get(from), places.get(to)];
  if (!start || !end) return {};
  if (end.y <= start.y) return { sourceHandle: "left-out", targetHandle: "left-in", pathOptions: { offset: ASIDE } };
  const isBlocked = [...places].some(
    ([id, { x, y }]) =>
      id !== from &&
      id !== to &&
      y > start.y &&
      y < end.y &&
      (Math.abs(x - start.x) < width / 2 || Math.abs(x - end.x) < width / 2),
  );
  if (!isBlocked) return { sourceHandle: "out", targetHandle: "in" };
  return { sourceHandle: "right-out", targetHandle: "right-in", pathOptions: { offset: ASIDE } };
}

function widthOf({ share }: Traffic): number {
  return STROKE.least + (STROKE.most - STROKE.least) * Math.min(1, share);
}

function shorten(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text;
}
