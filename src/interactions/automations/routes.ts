import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { artifactRoutes, KEPT_FOR } from "./artifact-routes.ts";
import {
  Automation,
  AutomationChange,
  AutomationInput,
  changeAutomation,
  createAutomation,
  getAutomation,
  removeAutomation,
  toAutomation,
} from "./automations.ts";
import { AutomationRun, runAutomation, toRun } from "./runs.ts";
import { countAutomations, countRuns, listAutomations, listRuns } from "./store.ts";

const PATH = "/api/external/v1/automations";
const READ = ["REPORTS_READ"];
/** Reading reports needs a permission of its own. Managing automations is part of running call jobs. */
const WRITE = ["CALL_JOBS_WRITE"];
const common = { audience: "external", tag: "Automations" } as const;
const params = Type.Object({ automationId: Uuid });

/** Dependencies of the automation routes besides the database. */
export interface AutomationContext {
  publicUrl: string;
  /** Wakes the task worker of this process. */
  wake(): void;
}

/** Automations (extensions), their runs, and the artifacts they make. */
export function automationRoutes(database: Database, context: AutomationContext): Route[] {
  return [
    ...artifactRoutes(database, context),
    ...libraryRoutes(database),
    ...oneAutomationRoutes(database),
    ...runRoutes(database, context),
  ];
}

function libraryRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List automations, newest first (extension)",
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(Automation, "AutomationPage") },
      async run({ caller, query }) {
        const page = readPage(query);
        const rows = await listAutomations(db, caller.workspaceId, page);
        return toPage(page, rows.map(toAutomation), () => countAutomations(db, caller.workspaceId));
      },
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create an automation (extension)",
      description: "Required: schedule for DAILY_DIGEST.",
      idempotent: true,
      body: AutomationInput,
      replies: { 200: Automation },
      run: ({ tx, caller, body }) => createAutomation(tx, caller.workspaceId, body),
    }),
  ];
}

function oneAutomationRoutes({ db }: Database): Route[] {
  const path = `${PATH}/{automationId}`;
  return [
    route({
      ...common,
      method: "GET",
      path,
      access: READ,
      summary: "Read an automation (extension)",
      params,
      replies: { 200: Automation },
      run: ({ caller, params: { automationId } }) => getAutomation(db, caller.workspaceId, automationId),
    }),
    route({
      ...common,
      method: "PUT",
      path,
      access: WRITE,
      summary: "Change an automation; sent fields are merged (extension)",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: AutomationChange,
      replies: { 200: Automation },
      run: ({ caller, params: { automationId }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeAutomation(tx, caller.workspaceId, automationId, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "DELETE",
      path,
      access: WRITE,
      summary: "Delete an automation, its runs and its artifacts for good (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { automationId } }) =>
        db.transaction().execute((tx) => removeAutomation(tx, caller.workspaceId, automationId)),
    }),
  ];
}

function runRoutes({ db }: Database, context: AutomationContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{automationId}/run`,
      access: WRITE,
      summary: "Run an automation now (extension)",
      description:
        "Answers with the queued run; its artifacts appear when it is COMPLETED. A digest covers the time since the last scheduled one, and the next scheduled one covers it again.",
      idempotent: true,
      params,
      query: Type.Object({
        callJobId: Type.Optional(
          Type.Unsafe<string>({ ...Uuid, description: "The job to report on, where the automation names none." }),
        ),
      }),
      replies: { 200: AutomationRun },
      run: ({ tx, caller, params: { automationId }, query }) =>
        runAutomation(tx, caller.workspaceId, automationId, query.callJobId),
      afterCommit: () => context.wake(),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{automationId}/runs`,
      access: READ,
      summary: "List the runs of an automation, newest first (extension)",
      description: KEPT_FOR,
      params,
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(AutomationRun, "AutomationRunPage") },
      async run({ caller, params: { automationId }, query }) {
        await getAutomation(db, caller.workspaceId, automationId);
        const page = readPage(query);
        const rows = await listRuns(db, caller.workspaceId, automationId, page);
        return toPage(page, rows.map(toRun), () => countRuns(db, caller.workspaceId, automationId));
      },
    }),
  ];
}
