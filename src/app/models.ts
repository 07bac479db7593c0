import { createQueryEmbedder, type EmbedQuery } from "#src/authoring/language-models/embeddings.ts";
import { createModelOpener, type OpenerParts, type OpenModel } from "#src/authoring/language-models/open-model.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { createWebFetch } from "#src/platform/http/web-fetch.ts";
import type { Core } from "./core.ts";

/** Milliseconds for a model's whole answer; the engine stops waiting long before. */
const DEADLINE_MS = 120_000;

/** Language models of a process. */
export interface Models {
  /** Dependencies for opening a provider's model. */
  models: OpenerParts;
  /** Opens a flow's models. */
  openModel: OpenModel;
  /** Turns queries into vectors, when the workspace has an embedding model. */
  embed: EmbedQuery;
}

/** Creates the functions that open the models of workspaces. */
export function openModels({ box, log, keeping, databases, metrics }: Core): Models {
  const fetch = createWebFetch(keeping.safeOpen, DEADLINE_MS);
  const models: OpenerParts = {
    box,
    log,
    scripted: createScriptedModel(),
    fetch,
    warm: keeping.warm,
    onRequest: metrics.onProviderRequest,
  };
  return { models, openModel: createModelOpener(models), embed: createQueryEmbedder(databases.dispatch.db, models) };
}
