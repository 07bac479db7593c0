import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { plural, t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Words } from "#web/ui/words.tsx";
import { nameOfStage, type Stage, STAGE_TYPES } from "./stage.ts";

/** CURRENT: a session is there. PASSED: one was there. MISSED: none was. */
export type StageMark = "CURRENT" | "PASSED" | "MISSED";

/** A stage on the map. */
export type MapNode = Node<
  {
    stage: Stage;
    isStart: boolean;
    warnings: string[];
    mark: StageMark | null;
    /** Sessions that came here, in words and as a share; null on a map without traffic. */
    traffic: { words: string; share: number } | null;
  },
  "stage"
>;

/** Ends of the edges that are drawn beside the stages between them; nobody can take them. */
const SIDES = [
  ["right-out", "source", Position.Right],
  ["right-in", "target", Position.Right],
  ["left-out", "source", Position.Left],
  ["left-in", "target", Position.Left],
] as const;

/** Box of a stage on the map: its type, name, how much it collects, and what is wrong with it. */
export const StageNode = memo(function StageNode({ data, isConnectable }: NodeProps<MapNode>) {
  const { stage, isStart, warnings, mark, traffic } = data;
  return (
    <div className="stage-node" data-type={stage.type} {...(mark ? { "data-mark": mark } : {})}>
      <Handle id="in" type="target" position={Position.Top} isConnectable={isConnectable} />
      <div className="stage-node-head">
        <Icon name={STAGE_TYPES[stage.type].icon} size={15} />
        <Words className="stage-node-name">{nameOfStage(stage)}</Words>
        {warnings.length > 0 && (
          <span className="stage-node-warning" title={warnings.join("\n")}>
            <Icon name="alert" size={15} />
          </span>
        )}
      </div>
      <div className="stage-node-facts">{traffic ? traffic.words : describeFacts(stage, isStart).join(" · ")}</div>
      {traffic && <span className="stage-node-traffic" style={{ width: `${100 * Math.min(1, traffic.share)}%` }} />}
      <Handle id="out" type="source" position={Position.Bottom} isConnectable={isConnectable} />
      {SIDES.map(([id, type, position]) => (
        <Handle key={id} id={id} type={type} position={position} isConnectable={false} />
      ))}
    </div>
  );
});

/** Returns how much a stage holds, in a few words. */
export function describeFacts({ type, fields, toolIds, edges, global }: Stage, isStart: boolean): string[] {
  return [
    isStart ? t`Start` : "",
    global === null ? "" : t`From any stage`,
    type === "TALK" ? "" : STAGE_TYPES[type].label,
    fields.length > 0 ? plural(fields.length, "{n} field", "{n} fields") : "",
    toolIds?.length ? plural(toolIds.length, "{n} tool", "{n} tools") : "",
    edges.length > 0 ? plural(edges.length, "{n} edge", "{n} edges") : "",
  ].filter((word) => word !== "");
}
