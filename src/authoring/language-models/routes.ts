import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { checkEmbedder } from "./check-embedder.ts";
import { ConfiguredModel, ConfiguredModelChange, ConfiguredModelInput } from "./configured-model.ts";
import { changeModel, createModel, getModel, type ModelParts, removeModel, toConfigured } from "./language-models.ts";
import { checkModel, type OpenerParts } from "./open-model.ts";
import { countModels, findModel, listModels } from "./store.ts";

const PATH = "/api/external/v1/models";
const READ = ["FLOWS_READ"];
const WRITE = ["FLOWS_WRITE"];
const common = { audience: "external", tag: "Models" } as const;
const params = Type.Object({ modelId: Uuid });

const ModelCheckReply = Type.Object(
  {
    ok: Type.Boolean(),
    model: Type.String(),
    latencyMs: Type.Integer(),
    firstPieceMs: nullable(Type.Integer({ description: "To the first piece of the answer." })),
    answer: nullable(Type.String()),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: "ModelCheck" },
);

/** Models of providers, for flows and for knowledge searches by meaning; all extensions. */
export function languageModelRoutes(database: Database, parts: ModelParts & OpenerParts): Route[] {
  return [...collectionRoutes(database, parts), ...oneModelRoutes(database, parts)];
}

function collectionRoutes({ db }: Database, parts: ModelParts): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List configured models (extension)",
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(ConfiguredModel, "ConfiguredModelPage") },
      async run({ caller, query }) {
        const page = readPage(query);
        const rows = await listModels(db, caller.workspaceId, page);
        return toPage(page, rows.map(toConfigured), () => countModels(db, caller.workspaceId));
      },
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Configure a model (extension)",
      description:
        "Required: baseUrl and apiKey for AZURE_OPENAI, region and apiKey for AMAZON_BEDROCK. Its key is sealed at rest and masked when read. One of kind EMBEDDING has every knowledge base of the workspace searched by meaning too.",
      idempotent: true,
      body: ConfiguredModelInput,
      replies: { 200: ConfiguredModel },
      run: ({ tx, caller, body }) => createModel(tx, parts, caller.workspaceId, body),
    }),
  ];
}

function oneModelRoutes({ db }: Database, parts: ModelParts & OpenerParts): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{modelId}`,
      access: READ,
      summary: "Read a configured model (extension)",
      params,
      replies: { 200: ConfiguredModel },
      run: ({ caller, params: { modelId } }) => getModel(db, caller.workspaceId, modelId),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{modelId}`,
      access: WRITE,
      summary: "Change a configured model; sent fields are merged (extension)",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: ConfiguredModelChange,
      replies: { 200: ConfiguredModel },
      run: ({ caller, params: { modelId }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeModel(tx, parts, caller.workspaceId, modelId, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{modelId}`,
      access: WRITE,
      summary: "Remove a configured model (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { modelId } }) =>
        db.transaction().execute((tx) => removeModel(tx, caller.workspaceId, modelId)),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{modelId}/check`,
      access: WRITE,
      summary: "Ask a configured model one question, to see that it answers (extension)",
      params,
      replies: { 200: ModelCheckReply },
      async run({ caller, params: { modelId } }) {
        const row = await findModel(db, caller.workspaceId, modelId);
        if (!row) throw new AppError("NOT_FOUND");
        return row.kind === "EMBEDDING" ? checkEmbedder(parts, row) : checkModel(parts, row);
      },
    }),
  ];
}
