import { selectFlow } from "#src/authoring/flows/flows.ts";
import { endWaits } from "#src/interactions/calls/end-waits.ts";
import { getNumbers, selectNumbers } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import {
  INSTALLATION_OWNER,
  SIGNED_IN,
  WORKSPACE_ADMIN,
  WORKSPACE_PATH,
  WORKSPACE_READ,
} from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { missing } from "#src/platform/kernel/errors.ts";
import { type DemoParts, fillDemo } from "#src/surfaces/operator/demo.ts";
import { actorOf, personOf } from "#src/tenancy/audit/actor.ts";
import { recordAudit } from "#src/tenancy/audit/audit.ts";
import {
  CallingWindow,
  CallingWindowInput,
  readCallingWindow,
  TimeZoneName,
} from "#src/tenancy/compliance/calling-window.ts";
import { assertSecondFactor } from "#src/tenancy/users/second-factor.ts";
import { getAccess } from "#src/tenancy/users/users.ts";
import { changeWorkspace, createWorkspace, getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { workspaceFields } from "./sign-in-routes.ts";

const WORKSPACES = "/api/console/workspaces";
const tag = "Workspaces";
const WorkspaceName = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" });
const Rate = Type.Number({ exclusiveMinimum: 0, maximum: 1e9 });
const Days = Type.Integer({ minimum: 1, maximum: 36_500 });
const RateLimit = Type.Object({ capacity: Rate, refill: Rate, periodSeconds: Rate });
const Speed = Type.Unsafe<number | "instant">({
  anyOf: [{ type: "number", minimum: 0.1, maximum: 1000 }, { const: "instant" }],
  description: "Clock of the sandbox: 1 is real time.",
});

const Workspace = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    mode: oneOf(["SANDBOX", "LIVE"]),
    sandboxSpeed: Speed,
    rateLimit: RateLimit,
    defaultFlowId: nullable(Uuid),
    defaultPhoneNumberId: nullable(Uuid),
    countries: nullable(Type.Array(Type.String(), { description: "ISO 3166 codes that may be dialled; null: all." })),
    timeZone: Type.String(),
    callingWindow: nullable(CallingWindow),
    maxAttemptsPerDay: nullable(
      Type.Integer({ description: "Dials of one number in a day of the called person; null: no limit." }),
    ),
    attemptGapMinutes: nullable(
      Type.Integer({ description: "Between the end of a dial and the next one of the same number; null: none." }),
    ),
    recordingRetentionDays: nullable(
      Type.Integer({ description: "Recordings are deleted after so many days; null: by the server's limit alone." }),
    ),
    conversationRetentionDays: nullable(
      Type.Integer({ description: "What was said is deleted so many days after a call or chat; null: never." }),
    ),
    requiresSecondFactor: Type.Boolean({ description: "Only people with a second factor enter. Keys are unaffected." }),
    credentialDays: nullable(Type.Integer({ description: "The longest life of new keys and clients; null: any." })),
    createdAt: Timestamp,
    version: Type.String({ description: "Changes with every setting." }),
  },
  { $id: "Workspace" },
);

const WorkspaceChange = Type.Object(
  {
    name: Type.Optional(WorkspaceName),
    sandboxSpeed: Type.Optional(Speed),
    rateLimit: Type.Optional(RateLimit),
    defaultFlowId: Type.Optional(nullable(Uuid)),
    defaultPhoneNumberId: Type.Optional(nullable(Uuid)),
    countries: Type.Optional(nullable(Type.Array(Type.String({ pattern: "^[A-Z]{2}$" }), { maxItems: 300 }))),
    timeZone: Type.Optional(TimeZoneName),
    callingWindow: Type.Optional(nullable(CallingWindowInput)),
    maxAttemptsPerDay: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 100 }))),
    attemptGapMinutes: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 10_080, description: "A week." }))),
    recordingRetentionDays: Type.Optional(nullable(Days)),
    conversationRetentionDays: Type.Optional(nullable(Days)),
    requiresSecondFactor: Type.Optional(Type.Boolean()),
    credentialDays: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 3_650 }))),
    version: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "That the change was made on; 409 when it is no longer the stored one.",
      }),
    ),
  },
  { $id: "WorkspaceChange" },
);
type WorkspaceChange = Static<typeof WorkspaceChange>;

/** Returns the routes that list a person's workspaces, create new ones, and change the settings of one. */
export function workspaceRoutes(db: Executor, demo: DemoParts): Route[] {
  return [listRoute(db), createRoute(db, demo), ...settingsRoutes(db)];
}

function listRoute(db: Executor): Route {
  return route({
    audience: "console",
    access: [SIGNED_IN],
    tag,
    method: "GET",
    path: WORKSPACES,
    summary: "List the workspaces that one may enter",
    replies: { 200: Type.Array(Workspace) },
    async run({ caller }) {
      const access = await getAccess(db, personOf(caller));
      const open = access.filter(({ lacksSecondFactor }) => !lacksSecondFactor);
      return Promise.all(open.map(({ id }) => getWorkspace(db, id)));
    },
  });
}

function createRoute(db: Executor, demo: DemoParts): Route {
  return route({
    audience: "console",
    access: [INSTALLATION_OWNER],
    tag,
    method: "POST",
    path: WORKSPACES,
    summary: "Make a workspace",
    body: Type.Object({ name: WorkspaceName, ...workspaceFields }),
    replies: { 201: Workspace },
    run: (request) =>
      db.transaction().execute(async (tx) => {
        const { name, mode, timeZone, sample = false } = request.body;
        const { id } = await createWorkspace(tx, {
          name,
          ...(mode ? { mode } : {}),
          ...(timeZone === undefined ? {} : { timeZone }),
        });
        if (sample) await fillDemo(tx, demo, await getWorkspace(tx, id));
        const actor = actorOf(request);
        await recordAudit(tx, { workspaceId: id, actor, action: "workspace.created", target: id });
        return getWorkspace(tx, id);
      }),
  });
}

function settingsRoutes(db: Executor): Route[] {
  const common = {
    audience: "console",
    tag,
    path: WORKSPACE_PATH,
    params: Type.Object({ workspaceId: Uuid }),
  } as const;
  return [
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      summary: "Read the settings of a workspace",
      replies: { 200: Workspace },
      run: ({ caller }) => getWorkspace(db, caller.workspaceId),
    }),
    route({
      ...common,
      access: [WORKSPACE_ADMIN],
      method: "PATCH",
      summary: "Change settings of a workspace; fields that are sent take the place of the stored ones",
      body: WorkspaceChange,
      replies: { 200: Workspace },
      run: (request) =>
        db.transaction().execute(async (tx) => {
          const { workspaceId } = request.caller;
          if (request.body.requiresSecondFactor) await assertSecondFactor(tx, personOf(request.caller).userId);
          const changed = await change(tx, workspaceId, request.body);
          const details = { fields: Object.keys(request.body).filter((name) => name !== "version") };
          const actor = actorOf(request);
          await recordAudit(tx, { workspaceId, actor, action: "workspace.changed", target: workspaceId, details });
          return changed;
        }),
    }),
  ];
}

async function change(tx: Executor, workspaceId: string, body: WorkspaceChange) {
  const { defaultFlowId: flowId, defaultPhoneNumberId: numberId, callingWindow: window, ...plain } = body;
  const flow = flowId ? (await selectFlow(tx, workspaceId, { flowId })).flowId : flowId;
  const number = numberId ? await requireNumber(tx, workspaceId, numberId) : numberId;
  const changed = await changeWorkspace(tx, workspaceId, {
    ...plain,
    ...(flow === undefined ? {} : { defaultFlowId: flow }),
    ...(number === undefined ? {} : { defaultPhoneNumberId: number }),
    ...(window === undefined ? {} : { callingWindow: window === null ? null : readCallingWindow(window) }),
  });
  if (window !== undefined) await endWaits(tx, workspaceId, { of: "DEFAULT_WINDOW" });
  if (plain.maxAttemptsPerDay !== undefined || plain.attemptGapMinutes !== undefined) {
    await endWaits(tx, workspaceId, { of: "PACE" });
  }
  return changed;
}

/** Returns the id of a number that calls can be placed from. Throws a 404 for one that the workspace does not have. */
async function requireNumber(tx: Executor, workspaceId: string, id: string): Promise<string> {
  const found = (await getNumbers(tx, workspaceId)).find((one) => one.id === id.toLowerCase());
  if (!found) throw missing(`Phone number ${id}`);
  await selectNumbers(tx, workspaceId, [found.phoneNumber], "defaultPhoneNumberId");
  return found.id;
}
