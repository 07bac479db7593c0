import { type Contact, toNewRow } from "#src/interactions/calls/new-row.ts";
import type { CallingNumber } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { GATE_REASONS, type GateReason } from "#src/tenancy/compliance/gate.ts";
import { HOLD_REASONS } from "#src/tenancy/compliance/opt-out-hold.ts";
import { PACE_REASONS } from "#src/tenancy/compliance/person-pace.ts";
import { WindowCheck } from "#src/tenancy/compliance/window-check.ts";
import { chooseParts, type JobSettings, RowFaultSchema } from "./call-jobs.ts";
import { isRowFault, type RowFault } from "./contact.ts";
import { readJsonRows } from "./create.ts";
import { describeFirstCall, FirstCall } from "./first-call.ts";
import { judgeCandidates, judgeWaiting, type Verdict } from "./preflight-store.ts";
import { refuseUnopened } from "./store-contacts.ts";
import { findJob } from "./store.ts";
import { refuseRepeat } from "./unique-ids.ts";
import type { WebhookParts } from "./webhook.ts";

/** Rows listed for each reason. */
const SHOWN_ROWS = 20;
const SHOWN_FAULTS = 100;

const reasonNames = Object.keys(GATE_REASONS) as GateReason[];

/** Reasons why a callable contact is not called at once. */
const WAIT_REASONS = {
  CALLING_WINDOW: "It is outside their calling hours.",
  ...PACE_REASONS,
  ...HOLD_REASONS,
} as const;
type WaitReason = keyof typeof WAIT_REASONS;

const JudgedRows = Type.Array(
  Type.Object({
    rowId: nullable(Uuid),
    line: nullable(Type.Integer()),
    customerNumber: Type.String(),
    externalId: nullable(Type.String()),
  }),
  { description: `The first ${SHOWN_ROWS}.` },
);

/** Counts and reasons of the rows that would be skipped if they were dialled now. */
export const Preflight = Type.Object(
  {
    totalRows: Type.Integer({ description: "Rows that were judged: callableRows + skippedRows." }),
    callableRows: Type.Integer({ description: "Rows that would be dialled, now or when their window opens." }),
    waitingForWindowRows: Type.Integer({ description: "Of callableRows: outside the calling window now." }),
    skippedRows: Type.Integer(),
    rejectedRows: Type.Integer({ description: "Rows that a job would not take." }),
    reasons: Type.Array(
      Type.Object({
        code: oneOf(reasonNames),
        message: Type.String(),
        count: Type.Integer(),
        rows: JudgedRows,
      }),
    ),
    waits: Type.Array(
      Type.Object({
        code: oneOf(Object.keys(WAIT_REASONS) as WaitReason[]),
        message: Type.String(),
        count: Type.Integer(),
        rows: JudgedRows,
      }),
      { description: "Of callableRows: who would be put off now, and why." },
    ),
    rowErrors: Type.Array(RowFaultSchema, { description: `The first ${SHOWN_FAULTS}.` }),
    firstCall: nullable(FirstCall),
  },
  { $id: "Preflight" },
);
export type Preflight = Static<typeof Preflight>;

/**
 * Judges a job that does not exist yet: its settings are checked as at the creation, its rows by the gate of every
 * dial. Writes nothing.
 */
export async function preflightNew(
  tx: Executor,
  parts: WebhookParts,
  workspaceId: string,
  body: JobSettings & { rows: Record<string, unknown>[] },
  bodyText: string,
): Promise<Preflight> {
  const chosen = await chooseParts(tx, parts, workspaceId, body);
  const { numbers, callingWindow } = chosen;
  const windows = await WindowCheck.load(tx, callingWindow);
  const seenIds = new Set<string>();
  const verdicts: Verdict[] = [];
  const faults: RowFault[] = [];
  let first: FirstContact | null = null;
  for await (const read of readJsonRows(body.rows, bodyText)) {
    const batch = read.map((item) => refuseRepeat(seenIds, refuseUnopened(windows, item)));
    const contacts = batch.filter((item): item is Contact => !isRowFault(item));
    faults.push(...batch.filter(isRowFault));
    const rows = contacts.map((contact, i) => toNewRow(contact, (numbers[i % numbers.length] as CallingNumber).id));
    if (rows.length === 0) continue;
    const judged = await judgeCandidates(tx, workspaceId, rows, callingWindow, SHOWN_ROWS);
    verdicts.push(...judged);
    first ??= findFirst(judged, contacts, numbers);
  }
  const firstCall = first && (await describeFirstCall(tx, workspaceId, chosen, first.contact, first.from));
  return { ...sumUp(verdicts, faults), firstCall };
}

interface FirstContact {
  contact: Contact;
  from: string;
}

/** Returns the first contact that would be dialled, with its number; null where the gate blocks all of them. */
function findFirst(verdicts: Verdict[], contacts: Contact[], numbers: CallingNumber[]): FirstContact | null {
  const lines = verdicts.flatMap(({ code, rows }) => (code === null && rows[0] ? [rows[0].line ?? 0] : []));
  const at = contacts.findIndex(({ line }) => line === Math.min(...lines));
  const contact = contacts[at];
  return contact ? { contact, from: numbers[at % numbers.length]?.number ?? "" } : null;
}

/** Judges the waiting rows of a job. Writes nothing. */
export async function preflightJob(tx: Executor, workspaceId: string, jobId: string): Promise<Preflight> {
  if (!(await findJob(tx, workspaceId, jobId))) throw new AppError("NOT_FOUND");
  return { ...sumUp(await judgeWaiting(tx, workspaceId, jobId, SHOWN_ROWS), []), firstCall: null };
}

function sumUp(verdicts: Verdict[], faults: RowFault[]): Omit<Preflight, "firstCall"> {
  const reasons = new Map<GateReason, Preflight["reasons"][number]>();
  const waits = new Map<WaitReason, Preflight["waits"][number]>();
  let callableRows = 0;
  let skippedRows = 0;
  for (const { code, wait, count, rows } of verdicts) {
    if (code === null) callableRows += count;
    else skippedRows += count;
    if (code !== null) add(reasons, { code, message: GATE_REASONS[code], count, rows });
    else if (wait !== null) add(waits, { code: wait, message: WAIT_REASONS[wait], count, rows });
  }
  return {
    totalRows: callableRows + skippedRows,
    callableRows,
    waitingForWindowRows: waits.get("CALLING_WINDOW")?.count ?? 0,
    skippedRows,
    rejectedRows: faults.length,
    reasons: byCount(reasons),
    waits: byCount(waits),
    rowErrors: faults.slice(0, SHOWN_FAULTS),
  };
}

interface Tally<Code extends string> {
  code: Code;
  message: string;
  count: number;
  rows: Preflight["reasons"][number]["rows"];
}

function add<Code extends string>(tallies: Map<Code, Tally<Code>>, found: Tally<Code>): void {
  const tally = tallies.get(found.code) ?? { ...found, count: 0, rows: [] };
  tally.count += found.count;
  tally.rows.push(...found.rows.slice(0, SHOWN_ROWS - tally.rows.length));
  tallies.set(found.code, tally);
}

function byCount<Code extends string>(tallies: Map<Code, Tally<Code>>): Tally<Code>[] {
  return [...tallies.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}
