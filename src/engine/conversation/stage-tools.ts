import { CHOOSE_EDGE, NO_EDGE, RECORD_FIELDS, type ToolCall } from "#src/engine/models/models.ts";
import { isRecord } from "#src/engine/stages/field-schemas.ts";
import { outputFields } from "#src/engine/stages/needed-fields.ts";
import { noteChoice, noteConfirmed, noteOutcome, storeFields } from "#src/engine/stages/stage-state.ts";
import { completeTimes } from "./complete-times.ts";
import { zoneOf } from "./local-clock.ts";
import type { StageRun } from "./open-stages.ts";
import type { SessionState } from "./session-state.ts";
import { currentStage, wantedFields } from "./stage-run.ts";
import { choicesOf } from "./stage-turn.ts";
import type { ToolRunResult } from "./tool-port.ts";

const MAX_VALUE_CHARACTERS = 20_000;
const NOT_CONFIRMED = "the values that changed are stored, but not confirmed: read them back first";

/** Answers a call of one of the two tools of stages; null when the call is of another tool. */
export function answerStageTool(session: SessionState, call: ToolCall): string | null {
  const run = session.stages;
  if (!run || (call.name !== RECORD_FIELDS && call.name !== CHOOSE_EDGE)) return null;
  return call.name === RECORD_FIELDS ? record(session, run, call.input) : choose(run, call.input);
}

/** Notes the outcome of a tool in the session's stage. */
export function noteToolOutcome({ stages }: SessionState, name: string, result: ToolRunResult): void {
  if (!stages || result.kind === "PENDING") return;
  stages.state = noteOutcome(stages.state, name, result.kind === "FAILED" ? "FAILED" : "SUCCEEDED");
}

function record(session: SessionState, run: StageRun, { values, isConfirmed }: Record<string, unknown>): string {
  const known = outputFields(session.plan.outputs);
  const stored = new Map<string, unknown>();
  const faults: string[] = [];
  const times = { zone: zoneOf(session.plan), at: session.ports.now() };
  for (const [name, given] of Object.entries(isRecord(values) ? values : {})) {
    const field = known.get(name);
    const value = completeTimes(field?.schema, given, times);
    if (!field) faults.push(`${name.slice(0, 100)}: there is no such field`);
    else if (value === null) {
      if (!Object.hasOwn(run.state.fields, name)) stored.set(name, undefined);
    } else if (JSON.stringify(value).length > MAX_VALUE_CHARACTERS) faults.push(`${name}: the value is too long`);
    else {
      const found = session.ports.validate(field.check, { [name]: value });
      if (found.length > 0) faults.push(`${name}: ${found.join("; ").slice(0, 300)}`);
      else if (JSON.stringify(run.state.fields[name]) !== JSON.stringify(value)) stored.set(name, value);
    }
  }
  const wanted = wantedFields(session, run);
  const { isDecided, chosen } = run.state;
  run.state = noteChoice(storeFields(run.state, stored, wanted), isDecided ? chosen : null);
  if (stored.size > 0) session.ports.watch?.noteFields(run.state.fields);
  if (isConfirmed === true && currentStage(run).type === "CONFIRM") {
    run.state = noteConfirmed(run.state, wanted);
    if (!run.state.isConfirmed) faults.push(NOT_CONFIRMED);
  }
  return faults.length === 0 ? "ok" : `failed: ${faults.join("\n")}`;
}

function choose(run: StageRun, { edge }: Record<string, unknown>): string {
  if (typeof edge === "string" && choicesOf(run).some(({ id }) => id === edge)) {
    run.state = noteChoice(run.state, edge);
    return "ok";
  }
  run.state = noteChoice(run.state, null);
  return edge === NO_EDGE ? "ok" : "failed: there is no such edge here";
}
