import type { FlowFields } from "#src/authoring/flows/flows.ts";
import type { ModelChoice, OpenModel } from "#src/authoring/language-models/open-model.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { Executor } from "#src/platform/db/database.ts";

/** Opens the models that stages have of their own, each with the flow's behind it; returns them by id. */
export async function openStageModels(
  openModel: OpenModel,
  db: Executor,
  workspaceId: string,
  { stages, model }: { stages?: FlowFields["stages"]; model?: ModelChoice | null },
): Promise<(modelId: string) => LanguageModel | undefined> {
  const ids = new Set((stages ?? []).flatMap(({ languageModelId }) => languageModelId?.toLowerCase() ?? []));
  const models = new Map<string, LanguageModel>();
  for (const modelId of ids) {
    const behind = [...(model?.modelId ? [model.modelId] : []), ...(model?.fallbackModelIds ?? [])];
    models.set(modelId, await openModel(db, workspaceId, { ...model, modelId, fallbackModelIds: behind }));
  }
  return (modelId) => models.get(modelId);
}
