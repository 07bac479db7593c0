import { Preflight, preflightNew } from "#src/interactions/call-jobs/preflight.ts";
import type { WebhookParts } from "#src/interactions/call-jobs/webhook.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { anyObject, anyValue, nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { readForm } from "./content.ts";
import { demandSource } from "./lead-sources.ts";
import { type Lead, LeadMapping, LeadReason, readLead, type Refusal } from "./lead.ts";
import { listPaths } from "./read-path.ts";
import type { LeadSourceRow } from "./store.ts";
import { findRepeat, toCall } from "./take-lead.ts";

const sample = anyValue("A delivery as its sender would send it: JSON, or the text of form fields.");

/** Body of a preview of a stored source. */
export const LeadSample = Type.Object({ sample }, { $id: "LeadSample" });

/** Body of a preview of a mapping before its source exists. */
export const MappingSample = Type.Object(
  {
    sample,
    mapping: LeadMapping,
    defaultCountry: Type.Optional(nullable(Type.String({ pattern: "^[A-Z]{2}$" }))),
    consentRequired: Type.Optional(Type.Boolean()),
  },
  { $id: "LeadMappingSample" },
);

/** Result of a preview: what a delivery would do. */
export const LeadPreview = Type.Object(
  {
    result: oneOf(["QUEUED", "DUPLICATE", "REFUSED"]),
    reason: nullable(LeadReason),
    message: nullable(Type.String()),
    lead: nullable(anyObject("The call as the mapping reads it: customerNumber, externalId, rowData and so on.")),
    preflight: nullable(Preflight),
    paths: Type.Array(Type.Object({ path: Type.String(), sample: anyValue("The value there.") }), {
      description: "Paths of the sample that a mapping can name, at most 200.",
    }),
  },
  { $id: "LeadPreview" },
);
type LeadPreview = Static<typeof LeadPreview>;

/** Shows what a mapping reads from a sample. Writes nothing. */
export function previewMapping(input: Static<typeof MappingSample>): LeadPreview {
  const { mapping, defaultCountry = null, consentRequired = false } = input;
  const body = readSample(input.sample);
  return show(body, readLead(body, mapping, { defaultCountry, consentRequired }));
}

/**
 * Shows what a delivery to a source would do, from its mapping to the rules of every dial, without taking one. Only a
 * delivery's own id, signature and the daily limit are left out. Writes nothing.
 */
export async function previewSource(
  db: Executor,
  parts: WebhookParts,
  workspaceId: string,
  id: string,
  input: Static<typeof LeadSample>,
): Promise<LeadPreview> {
  const source = await demandSource(db, workspaceId, id);
  const body = readSample(input.sample);
  const lead = readLead(body, source.mapping, source.rules);
  if ("reason" in lead) return show(body, lead);
  const repeated = await findRepeat(db, source, null, lead);
  if (repeated) {
    const message = `A call was queued by the delivery ${repeated.id}.`;
    return { ...show(body, lead), result: "DUPLICATE", reason: `REPEATED_${repeated.by}`, message };
  }
  try {
    return { ...show(body, lead), preflight: await preflight(db, parts, source, lead) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { ...show(body, lead), result: "REFUSED", reason: "SETTINGS", message: error.message };
  }
}

/** Asks the rules of every dial about the lead, as the row of a job that is never made. */
function preflight(db: Executor, parts: WebhookParts, source: LeadSourceRow, lead: Lead): Promise<Preflight> {
  const { workspace_id: workspaceId, flow_id: flowId, from_number: fromPhoneNumber } = source;
  const [{ customerNumber, contactName, contactEmail, timeZone, rowData, contextData }] = toCall(source, lead);
  const row = { customerNumber, contactName, contactEmail, timeZone, rowData, contextData };
  const body = { flowId, fromPhoneNumber, callingWindow: source.calling_window, rows: [row] };
  return preflightNew(db, parts, workspaceId, body, JSON.stringify(body));
}

function readSample(value: unknown): unknown {
  return typeof value === "string" ? readForm(value) : value;
}

function show(body: unknown, read: Lead | Refusal): LeadPreview {
  const paths = listPaths(body);
  if ("reason" in read) return { ...read, result: "REFUSED", lead: null, preflight: null, paths };
  return { result: "QUEUED", reason: null, message: null, lead: { ...read }, preflight: null, paths };
}
