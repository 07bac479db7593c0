import { useComputedColorScheme } from "@mantine/core";
import "@xyflow/react/dist/style.css";
import "./stage-canvas.css";
import {
  Background,
  type Connection,
  Controls,
  type Edge,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  ReactFlow,
  useReactFlow,
} from "@xyflow/react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { t } from "#web/i18n/t.ts";
import { type StageMarks, type StageTraffic, toMapEdges, toMapNodes } from "./stage-map.ts";
import { type MapNode, StageNode } from "./stage-node.tsx";
import type { NameOf } from "./stage-words.ts";
import { type Place, type Stage } from "./stage.ts";

/** A stage, or one of its edges. */
export interface StageChoice {
  stageId: string;
  edgeId: string | null;
}

/** Changes that a person makes on the map itself. */
export interface MapEdits {
  /** Takes the new places of stages. */
  move: (places: Map<string, Place>) => void;
  connect: (from: string, to: string) => void;
  remove: (choice: StageChoice) => void;
}

/** Props of a map of stages. */
export interface StageCanvasProps {
  stages: Stage[];
  /** Place of each stage by its id. */
  places: Map<string, Place>;
  label: string;
  chosen?: StageChoice | null;
  choose?: (choice: StageChoice | null) => void;
  /** Without these the map is read-only. */
  edits?: MapEdits | undefined;
  /** Warnings by the id of the stage. */
  warnings?: Map<string, string[]>;
  marks?: StageMarks | undefined;
  /** With it the map shows how many sessions came through each stage and edge. */
  traffic?: StageTraffic | undefined;
  nameOf?: NameOf;
}

const NODE_TYPES = { stage: StageNode };
const FIT = { padding: 0.12, maxZoom: 1 };

/** Stages that are seen well enough at once. */
const MOST_WITHOUT_OVERVIEW = 12;

/** Map of stages and the edges between them; it can be zoomed, and changed where `edits` are given. */
export function StageCanvas(props: StageCanvasProps) {
  const { label, chosen, choose, edits } = props;
  const scheme = useComputedColorScheme();
  const { nodes, edges, changeNodes } = useMap(props);
  const changeEdges = (changes: EdgeChange[]) => {
    const picked = changes.find((change) => change.type === "select" && change.selected);
    if (picked && "id" in picked) choose?.(readEdgeId(picked.id));
  };
  // React Flow would take these keys from the whole page, also from the form beside the map.
  const remove = (event: KeyboardEvent<HTMLElement>) => {
    if ((event.key !== "Delete" && event.key !== "Backspace") || !chosen || !edits) return;
    edits.remove(chosen);
    // The element that had the focus is gone; the next key is for the map again.
    event.currentTarget.focus();
  };
  return (
    <section className="stage-canvas" aria-label={label}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodesChange={changeNodes}
        onEdgesChange={changeEdges}
        onConnect={({ source, target }: Connection) => edits?.connect(source, target)}
        onPaneClick={() => choose?.(null)}
        nodesDraggable={edits !== undefined}
        nodesConnectable={edits !== undefined}
        elementsSelectable={choose !== undefined}
        nodesFocusable={choose !== undefined}
        edgesFocusable={choose !== undefined}
        deleteKeyCode={null}
        tabIndex={-1}
        onKeyDown={remove}
        multiSelectionKeyCode={null}
        selectionKeyCode={null}
        zoomOnScroll={false}
        preventScrolling={false}
        minZoom={0.15}
        fitView
        fitViewOptions={FIT}
        colorMode={scheme}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} fitViewOptions={FIT} />
        {props.stages.length > MOST_WITHOUT_OVERVIEW && (
          <MiniMap pannable zoomable ariaLabel={t`Overview of the stages`} />
        )}
        <FitAnew count={props.stages.length} />
      </ReactFlow>
    </section>
  );
}

/** Shows all stages again after one was added or removed. */
function FitAnew({ count }: { count: number }) {
  const { fitView } = useReactFlow();
  const shown = useRef(count);
  useEffect(() => {
    if (shown.current === count) return;
    shown.current = count;
    void fitView(FIT);
  }, [count, fitView]);
  return null;
}

/** Nodes and edges of the map; a stage that is being dragged is drawn where the pointer is. */
function useMap({ stages, places, chosen = null, choose, edits, warnings, marks, traffic, nameOf }: StageCanvasProps) {
  const [dragged, setDragged] = useState<Map<string, Place>>(new Map());
  const nodes = useMemo(
    () => toMapNodes(stages, places, { chosen, warnings, marks, traffic }),
    [stages, places, chosen, warnings, marks, traffic],
  );
  const edges = useMemo<Edge[]>(
    () => toMapEdges(stages, places, { chosen, marks, traffic, nameOf }),
    [stages, places, chosen, marks, traffic, nameOf],
  );
  const changeNodes = (changes: NodeChange<MapNode>[]) => {
    const picked = changes.find((change) => change.type === "select" && change.selected);
    if (picked && "id" in picked) choose?.({ stageId: picked.id, edgeId: null });
    const moves = changes.flatMap((change) => (change.type === "position" && change.position ? [change] : []));
    if (moves.length === 0) return;
    const next = new Map(moves.map(({ id, position }) => [id, round(position as Place)] as const));
    const isDragging = moves.some(({ dragging }) => dragging);
    setDragged(isDragging ? next : new Map());
    if (!isDragging) edits?.move(next);
  };
  const shown = nodes.map((node) => {
    const position = dragged.get(node.id);
    return position ? { ...node, position } : node;
  });
  return { nodes: shown, edges, changeNodes };
}

function readEdgeId(id: string): StageChoice {
  const [stageId = "", edgeId = ""] = id.split(".");
  return { stageId, edgeId };
}

function round({ x, y }: Place): Place {
  return { x: Math.round(x), y: Math.round(y) };
}
