import { type Place, type Stage, startOf } from "./stage.ts";

/** Size of a stage in the picture, in pixels at zoom 1. */
export const STAGE_SIZE = { width: 216, height: 84 } as const;

const GAP = { x: 104, y: 92 } as const;
const SWEEPS = 4;

type Links = Map<string, string[]>;

/**
 * Returns the place of each stage by its id. Stages with a position keep it; the others are laid out in layers from the
 * start downwards, below those that have one.
 */
export function layOut(stages: Stage[]): Map<string, Place> {
  const free = startFirst(stages.filter(({ position }) => position === null));
  const fixed = stages.flatMap(({ id, position }) => (position === null ? [] : [[id, position] as const]));
  const corner = {
    x: Math.min(...fixed.map(([, { x }]) => x)),
    y: Math.max(...fixed.map(([, { y }]) => y)) + STAGE_SIZE.height + GAP.y,
  };
  const links = withoutCircles(free);
  return new Map([
    ...fixed,
    ...place(sortLayers(toLayers(links), links), fixed.length === 0 ? { x: 0, y: 0 } : corner),
  ]);
}

function startFirst(stages: Stage[]): Stage[] {
  const start = startOf(stages);
  return start ? [start, ...stages.filter((stage) => stage !== start)] : [];
}

/** The edges of a graph, in the order of a walk from its first stage, without those that close a circle. */
function withoutCircles(stages: Stage[]): Links {
  const byId = new Map(stages.map((stage) => [stage.id, stage]));
  const links: Links = new Map();
  const open = new Set<string>();
  const walk = ({ id, edges }: Stage): void => {
    const kept: string[] = [];
    links.set(id, kept);
    open.add(id);
    for (const to of new Set(edges.map((edge) => edge.to))) {
      const next = byId.get(to);
      if (!next || open.has(to)) continue;
      if (!links.has(to)) walk(next);
      kept.push(to);
    }
    open.delete(id);
  };
  for (const stage of stages) if (!links.has(stage.id)) walk(stage);
  return links;
}

/** Groups the stages by their longest way from a stage to which nothing leads. */
function toLayers(links: Links): string[][] {
  const waiting = new Map([...links.keys()].map((id) => [id, 0]));
  for (const targets of links.values()) for (const to of targets) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const layers: string[][] = [];
  let layer = [...links.keys()].filter((id) => waiting.get(id) === 0);
  while (layer.length > 0) {
    layers.push(layer);
    const next: string[] = [];
    for (const id of layer) {
      for (const to of links.get(id) ?? []) {
        const left = (waiting.get(to) ?? 0) - 1;
        waiting.set(to, left);
        if (left === 0) next.push(to);
      }
    }
    layer = next;
  }
  return layers;
}

/** Orders each layer by the mean place of the stages that lead to it, then of those to which it leads. */
function sortLayers(layers: string[][], links: Links): string[][] {
  const back: Links = new Map();
  for (const [from, targets] of links) for (const to of targets) back.set(to, [...(back.get(to) ?? []), from]);
  let sorted = layers;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const near = sweep % 2 === 0 ? back : links;
    sorted = sorted.map((layer) => {
      const at = placesIn(sorted);
      const mean = (id: string) =>
        meanOf(
          (near.get(id) ?? []).map((one) => at.get(one) ?? 0),
          at.get(id) ?? 0,
        );
      return layer.toSorted((a, b) => mean(a) - mean(b));
    });
  }
  return sorted;
}

/** Place of each stage within its layer, from the middle. */
function placesIn(layers: string[][]): Map<string, number> {
  return new Map(layers.flatMap((layer) => layer.map((id, index) => [id, index - (layer.length - 1) / 2] as const)));
}

function meanOf(values: number[], otherwise: number): number {
  return values.length === 0 ? otherwise : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function place(layers: string[][], corner: Place): [string, Place][] {
  const widest = Math.max(0, ...layers.map(({ length }) => length));
  const step = { x: STAGE_SIZE.width + GAP.x, y: STAGE_SIZE.height + GAP.y };
  return layers.flatMap((layer, row) =>
    layer.map((id, index): [string, Place] => [
      id,
      { x: corner.x + (index + (widest - layer.length) / 2) * step.x, y: corner.y + row * step.y },
    ]),
  );
}
