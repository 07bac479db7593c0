import { stringify } from "yaml";
import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { OpenModel } from "#src/authoring/language-models/open-model.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { findTranscribedCall, type TranscribedCall } from "#src/interactions/calls/transcribed-calls.ts";
import type { Database } from "#src/platform/db/database.ts";
import { anyObject, type Static, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { openSuiteModels } from "./choose-model.ts";
import { type FlowSource, readFlowSource } from "./flow-source.ts";
import { cleanCall } from "./from-call/clean-call.ts";
import type { RecordedCall } from "./from-call/recorded-call.ts";
import { makeSuite, type ProposedSuite } from "./from-call/suite-of-call.ts";
import { dropFailures } from "./from-call/tried-suite.ts";
import { type FlowSnapshots, type PrepareParts, snapshotFlow, toPreparedFlow } from "./prepare-flow.ts";
import { readSuite } from "./read-suite.ts";
import { runSuite } from "./run-suite.ts";

/** A suite made from a call. */
export const SuiteProposal = Type.Object(
  {
    suite: Type.String({ description: "The suite file, YAML." }),
    scenario: anyObject("Its scenario, as data."),
    persona: anyObject("Its persona, as data."),
    removed: Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer() }), {
      description: "Personal data that was replaced by stand-ins: how many different things of each kind.",
    }),
    notes: Type.Array(Type.String(), { description: "What the suite leaves out, and why." }),
  },
  { $id: "SuiteProposal" },
);
export type SuiteProposal = Static<typeof SuiteProposal>;

/** Words that the agent should say, or should not say again. */
export interface Sayings {
  says: string[];
  neverSays: string[];
}

/** Dependencies of proposing suites. */
export interface ProposeParts extends PrepareParts {
  openModel: OpenModel;
  scripted: LanguageModel;
}

const HEADER = [
  " Made from a call. Names, numbers and other personal data were replaced by fictional ones;",
  " read it before you share it, because no machine knows all that is personal.",
].join("\n");

/**
 * Makes a suite from a call. Throws a 404 for a call that does not exist, and a 409 for one without usable content.
 * With the scripted model the suite is tried at once; expectations that fail are left out and reported. What is wished
 * of the agent's words is not tried: the flow is about to be changed for it.
 */
export async function proposeSuite(
  { db }: Database,
  parts: ProposeParts,
  workspaceId: string,
  rowId: string,
  wished: Sayings = { says: [], neverSays: [] },
): Promise<SuiteProposal> {
  const transcribedCall = await findTranscribedCall(db, workspaceId, rowId);
  if (!transcribedCall) throw new AppError("NOT_FOUND");
  assertTalked(transcribedCall);
  const source = sourceOf(transcribedCall);
  const snapshotOf = (of: FlowSource) => db.transaction().execute((tx) => snapshotOfCall(tx, parts, workspaceId, of));
  const recorded = await snapshotOf(source);
  const { call, document, removed, clean } = cleanCall(
    toRecordedCall(transcribedCall),
    vocabularyOf(recorded),
    transcribedCall.inlineFlow,
  );
  const snapshots = document === null ? recorded : await snapshotOf(readDocument(document));
  const proposed = makeSuite(call, {
    flow: document === null ? toWrittenFlow(transcribedCall) : { document },
    name: snapshots.flow.ref.name,
    ownTools: snapshots.flow.grants.VOICE.tools.map(({ offer }) => offer.name),
  });
  const { model, modelOf } = await openSuiteModels(db, parts, workspaceId, "FLOW", snapshots);
  const found = model === null && !modelOf ? await tryOut(proposed, snapshots) : proposed;
  const tried = expectSayings(found, { says: wished.says.map(clean), neverSays: wished.neverSays.map(clean) });
  const suite = stringify(tried.suite, { lineWidth: 0, commentString: (text) => `#${text}` });
  return {
    suite: `${HEADER.split("\n")
      .map((line) => `#${line}`)
      .join("\n")}\n${suite}`,
    scenario: tried.scenario,
    persona: { ...tried.persona },
    removed,
    notes: [...snapshots.warnings, ...tried.warnings],
  };
}

function assertTalked({ isOver, transcript }: TranscribedCall): void {
  if (!isOver) throw new AppError("CONFLICT", "The call is not over yet.");
  if (transcript.length === 0) throw new AppError("CONFLICT", "Nothing was said in this call.");
}

/** Returns the version of the flow that the call was held with. */
function sourceOf(transcribedCall: TranscribedCall): FlowSource {
  if (transcribedCall.inlineFlow !== null) return readDocument(transcribedCall.inlineFlow);
  return { kind: "SAVED", flow: transcribedCall.flowId ?? "", version: transcribedCall.flowVersion };
}

function readDocument(document: object): FlowSource {
  return readFlowSource({ kind: "DOCUMENT", document }, "flow");
}

function toWrittenFlow({ flowId, flowApiId, flowVersion }: TranscribedCall): unknown {
  const flow = flowApiId ?? flowId;
  return flowVersion === null ? flow : { flow, version: flowVersion };
}

async function snapshotOfCall(
  tx: Parameters<typeof snapshotFlow>[0],
  parts: PrepareParts,
  workspaceId: string,
  source: FlowSource,
): Promise<FlowSnapshots> {
  try {
    return await snapshotFlow(tx, parts, workspaceId, source, "flow");
  } catch (error) {
    const isGone = error instanceof AppError && error.code === "NOT_FOUND";
    throw isGone ? new AppError("CONFLICT", "The flow of this call does not exist any more.") : error;
  }
}

/**
 * Returns the texts that count as free of personal data. A saved flow counts in full. Of an inline flow only the
 * outputs and grants count, because its texts may be about the person.
 */
export function vocabularyOf({ flow, others }: FlowSnapshots): string {
  return JSON.stringify(
    [flow, ...Object.values(others)].map(({ ref, fields, outputs, grants }) =>
      ref.id === null ? [outputs, grants] : [fields, outputs, grants],
    ),
  );
}

/** Converts a call to the form that suites are made from. */
export function toRecordedCall(transcribedCall: TranscribedCall): RecordedCall {
  const { transcript, outcome, endReason, fields, outputs, contact, rowData, contextData } = transcribedCall;
  const answeredBy = (transcribedCall.answeredBy ?? "HUMAN") as AnsweredBy;
  const at = transcribedCall.answeredAt.toISOString();
  return { transcript, outcome, endReason, answeredBy, fields, outputs, contact, rowData, contextData, at };
}

function expectSayings(proposed: ProposedSuite, sayings: Sayings): ProposedSuite {
  const wished = Object.entries(sayings).filter(([, texts]) => texts.length > 0);
  if (wished.length === 0) return proposed;
  const { suite, scenario } = proposed;
  const wanted = { ...scenario, expect: { ...(scenario.expect as object), ...Object.fromEntries(wished) } };
  return { ...proposed, scenario: wanted, suite: { ...suite, scenarios: [wanted] } };
}

async function tryOut(proposed: ProposedSuite, snapshots: FlowSnapshots): Promise<ProposedSuite> {
  const suite = readSuite(proposed.suite, "suite");
  const report = await runSuite(suite, { flow: toPreparedFlow(snapshots, { model: null }), personaModel: null });
  return dropFailures(proposed, report.scenarios[0]?.conversations[0]?.failures ?? []);
}
