import { findModelByName } from "#src/authoring/language-models/language-models.ts";
import type { OpenModel } from "#src/authoring/language-models/open-model.ts";
import { openStageModels } from "#src/authoring/session-plans/stage-models.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { missing } from "#src/platform/kernel/errors.ts";
import type { FlowSnapshots } from "./prepare-flow.ts";
import type { PreparedFlow } from "./prepared-flow.ts";

/** Names that a suite may use instead of a model of the workspace. */
const OWN = ["FLOW", "SCRIPTED"];

/** Throws a 404 when a suite names a model that the workspace does not have. */
export async function assertModelChoice(tx: Executor, workspaceId: string, name: string): Promise<void> {
  if (OWN.includes(name)) return;
  if (!(await findModelByName(tx, workspaceId, name))) throw missing(`Model ${name}`);
}

/**
 * Opens the models of a suite's agent: those of the flow's own sessions (FLOW), with the models that stages have of
 * their own; the scripted model; or a named one, which speaks in all stages. `model` is null for the scripted model.
 */
export async function openSuiteModels(
  db: Executor,
  { openModel, scripted }: { openModel: OpenModel; scripted: LanguageModel },
  workspaceId: string,
  name: string,
  { flow, others }: Pick<FlowSnapshots, "flow" | "others">,
): Promise<Pick<PreparedFlow, "model" | "modelOf">> {
  if (name === "SCRIPTED") return { model: null };
  const ofFlow = flow.fields.model;
  const found = name === "FLOW" ? undefined : await findModelByName(db, workspaceId, name);
  if (name !== "FLOW" && !found) throw missing(`Model ${name}`);
  const choice = found ? { modelId: found.id, temperature: ofFlow?.temperature } : ofFlow;
  const opened = await openModel(db, workspaceId, choice);
  const model = opened === scripted ? null : opened;
  const staged = [flow, ...Object.values(others)].filter(({ fields }) =>
    fields.stages?.some(({ languageModelId }) => languageModelId),
  );
  if (found || staged.length === 0) return { model };
  const ofStages = await Promise.all(staged.map(({ fields }) => openStageModels(openModel, db, workspaceId, fields)));
  return { model, modelOf: (modelId) => ofStages.map((modelOf) => modelOf(modelId)).find(Boolean) };
}
