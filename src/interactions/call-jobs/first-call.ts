import type { SelectedFlow } from "#src/authoring/flows/flows.ts";
import { listOffered } from "#src/authoring/flows/offered-versions.ts";
import { renderOpening } from "#src/authoring/session-plans/opening-words.ts";
import type { Contact } from "#src/interactions/calls/new-row.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { readExactText } from "#src/platform/http/json.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { fictionalCode } from "#src/platform/kernel/e164.ts";
import { CallingWindow, nextOpening } from "#src/tenancy/compliance/calling-window.ts";
import { findPersonZones } from "#src/tenancy/compliance/person-zones.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { findZones } from "./plan-store.ts";

/** The first call that a job would place, as its person would hear it. */
export const FirstCall = Type.Object(
  {
    line: nullable(Type.Integer()),
    customerNumber: Type.String(),
    contactName: nullable(Type.String()),
    fromPhoneNumber: Type.String(),
    flowId: nullable(Uuid),
    flowApiId: nullable(Type.String()),
    openings: Type.Array(
      Type.Object({
        version: nullable(Type.Integer({ description: "Null: an inline flow." })),
        percent: Type.Integer({ description: "Share of new calls that take this version." }),
        flowName: nullable(Type.String()),
        language: Type.String({ description: "BCP 47." }),
        text: nullable(
          Type.String({
            description: "What the agent says first, with this person's variables; null: the model opens.",
          }),
        ),
        emptyVariables: Type.Array(Type.String(), {
          description: "Variables of the first message that are empty for this person, such as {{ day }}.",
        }),
        error: nullable(Type.String({ description: "Reason why a template cannot be rendered." })),
      }),
      { description: "For each version that new calls take, the largest share first." },
    ),
    callingWindow: nullable(CallingWindow),
    timeZones: Type.Array(Type.String(), { description: "Zones in which the person may be." }),
    opensAt: nullable({
      ...Timestamp,
      description: "Earliest time of the dial by startAt and calling window; null when the window never opens.",
    }),
  },
  {
    $id: "FirstCall",
    description:
      "Call of the first row that would be dialled, for a job that is not made yet. callingWindow: the job's, or else the workspace's; null: any hour, as for simulated calls.",
  },
);
export type FirstCall = Static<typeof FirstCall>;

/** Settings of the job that decide on its calls. */
interface Chosen {
  flow: SelectedFlow;
  callingWindow: CallingWindow | null;
  startAt: Date | null;
}

/** Describes the call of one contact before it exists. Writes nothing. */
export async function describeFirstCall(
  tx: Executor,
  workspaceId: string,
  { flow, callingWindow: own, startAt }: Chosen,
  contact: Contact,
  fromPhoneNumber: string,
): Promise<FirstCall> {
  const { customerNumber, contactName, line } = contact;
  const { mode, callingWindow: usual } = await getWorkspace(tx, workspaceId);
  const isSimulated = mode === "SANDBOX" || fictionalCode(customerNumber) !== null;
  const callingWindow = isSimulated ? null : (own ?? usual);
  const timeZones = contact.timeZone === null ? await findZones(tx, contact.country) : [contact.timeZone];
  const fromMs = Math.max(nowMs(), startAt?.getTime() ?? 0);
  const opensMs = callingWindow ? nextOpening(callingWindow, clocksOf(callingWindow, timeZones), fromMs) : fromMs;
  return {
    line,
    customerNumber,
    contactName,
    fromPhoneNumber,
    flowId: flow.flowId,
    flowApiId: flow.flowApiId,
    openings: await renderOpenings(tx, workspaceId, flow, contact),
    callingWindow,
    timeZones,
    opensAt: opensMs === null ? null : new Date(opensMs).toISOString(),
  };
}

function clocksOf({ timeZone }: CallingWindow, ofPerson: string[]): string[] {
  return timeZone === null ? ofPerson : [timeZone];
}

async function renderOpenings(
  tx: Executor,
  workspaceId: string,
  flow: SelectedFlow,
  { customerNumber: phone, contactName: name, contactEmail: email, rowData, contextData, timeZone: own }: Contact,
): Promise<FirstCall["openings"]> {
  const memory = contextData === null ? {} : (readExactText(contextData) as Record<string, unknown>);
  const [timeZone] = await findPersonZones(tx, [{ workspaceId, timeZone: own, phone }]);
  const openings: FirstCall["openings"] = [];
  for (const { version, percent, fields } of await listOffered(tx, workspaceId, flow)) {
    const words = await renderOpening(tx, workspaceId, fields, { phone, name, email, rowData, memory, timeZone });
    openings.push({ version, percent, flowName: fields.name ?? null, ...words });
  }
  return openings;
}
