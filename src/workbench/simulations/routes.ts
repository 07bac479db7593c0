import { BUILT_IN_NAMES, readBuiltIn } from "#src/engine/personas/built-in.ts";
import type { PersonaFile } from "#src/engine/personas/persona-schema.ts";
import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage } from "#src/platform/http/paging.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { anyValue, nullable, Type, Uuid } from "#src/platform/http/schemas.ts";
import { toJUnit } from "./junit.ts";
import {
  cancelRun,
  getReport,
  getRun,
  getRuns,
  getSource,
  type RunParts,
  Simulation,
  SimulationEntry,
  SimulationInput,
  SimulationSource,
  startRun,
} from "./runs.ts";

const PATH = "/api/external/v1/simulations";
const READ = ["FLOWS_READ"];
const WRITE = ["FLOWS_WRITE"];
const BODY_BYTES = 16 * 1024 * 1024;
const common = { audience: "external", tag: "Simulations" } as const;
const params = Type.Object({ id: Uuid });

const Persona = Type.Object(
  {
    name: Type.String({ description: "What suites call it." }),
    title: Type.String(),
    description: Type.String(),
    kind: Type.String({ description: "PERSON, or the machine that answers." }),
    answeredBy: Type.String({ description: "What a carrier would say of who answered." }),
    language: nullable(Type.String({ description: "Null: as addressed." })),
  },
  { $id: "Persona" },
);

/** Returns the routes for runs of test suites and for the built-in personas, which are extensions. */
export function simulationRoutes(database: Database, context: RunParts & { wake(): void }): Route[] {
  return [...collectionRoutes(database, context), ...oneRunRoutes(database), personasRoute()];
}

function collectionRoutes({ db }: Database, context: RunParts & { wake(): void }): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Run a test suite against a flow (extension)",
      description: "Nobody is called and nothing leaves the process. Answers at once; the run goes on by itself.",
      idempotent: true,
      bodyLimit: BODY_BYTES,
      body: SimulationInput,
      replies: { 200: Simulation },
      run: ({ tx, caller, body }) => startRun(tx, context, caller.workspaceId, body),
      afterCommit: () => context.wake(),
    }),
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List runs of test suites, newest first (extension)",
      query: Type.Object({
        ...pageQuery,
        suite: Type.Optional(Type.String({ maxLength: 200, description: "Name of a suite." })),
      }),
      replies: { 200: pageOf(SimulationEntry, "SimulationPage") },
      run: ({ caller, query }) => getRuns(db, caller.workspaceId, readPage(query), query.suite),
    }),
  ];
}

function oneRunRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}`,
      access: READ,
      summary: "Read a run of a test suite with its report (extension)",
      params,
      query: Type.Object({
        transcripts: Type.Optional(Type.Boolean({ description: "False leaves the transcripts out. Default true." })),
      }),
      replies: { 200: Simulation },
      run: ({ caller, params: { id }, query }) =>
        getRun(db, caller.workspaceId, id, {
          transcripts: query.transcripts ?? true,
          permissions: caller.permissions,
        }),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}/source`,
      access: READ,
      summary: "Read what a run of a test suite was asked for (extension)",
      description: "Sent to POST /simulations, it starts the same against the flow as it is by then.",
      params,
      replies: { 200: SimulationSource },
      run: ({ caller, params: { id } }) => getSource(db, caller.workspaceId, id),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{id}/cancel`,
      access: WRITE,
      summary: "End a run of a test suite before it is over (extension)",
      idempotent: true,
      params,
      replies: { 200: Simulation },
      run: ({ tx, caller, params: { id } }) => cancelRun(tx, caller.workspaceId, id),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}/junit`,
      access: READ,
      summary: "Read the report of a run as JUnit XML (extension)",
      description: "409 while the run is not over.",
      params,
      produces: "application/xml",
      replies: { 200: anyValue("JUnit XML, a test case for each scenario.") },
      run: async ({ caller, params: { id } }) =>
        new Reply(200, toJUnit(await getReport(db, caller.workspaceId, id, caller.permissions)), {
          "content-type": "application/xml; charset=utf-8",
        }),
    }),
  ];
}

function personasRoute(): Route {
  return route({
    ...common,
    method: "GET",
    path: "/api/external/v1/personas",
    access: READ,
    summary: "List the personas that suites may name (extension)",
    replies: { 200: Type.Array(Persona) },
    run: async () => BUILT_IN_NAMES.map((name) => toPersona(name, readBuiltIn(name))),
  });
}

function toPersona(name: string, { name: title, description, kind, answeredBy, language }: PersonaFile) {
  return { name, title, description, kind, answeredBy, language: language ?? null };
}
