import { findModelByName } from "#src/authoring/language-models/language-models.ts";
import type { ModelChoice, OpenModel } from "#src/authoring/language-models/open-model.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { missing } from "#src/platform/kernel/errors.ts";

/** Names that a suite may use instead of a model of the workspace. */
const OWN = ["FLOW", "SCRIPTED"];

/** Throws a 404 when a suite names a model that the workspace does not have. */
export async function assertModelChoice(tx: Executor, workspaceId: string, name: string): Promise<void> {
  if (OWN.includes(name)) return;
  if (!(await findModelByName(tx, workspaceId, name))) throw missing(`Model ${name}`);
}

/**
 * Opens the model of a suite's agent: the one of the flow's own sessions (FLOW), the scripted model, or a named one.
 * Null: the scripted model.
 */
export async function openSuiteModel(
  db: Executor,
  { openModel, scripted }: { openModel: OpenModel; scripted: LanguageModel },
  workspaceId: string,
  name: string,
  ofFlow: ModelChoice | null | undefined,
): Promise<LanguageModel | null> {
  if (name === "SCRIPTED") return null;
  const found = name === "FLOW" ? undefined : await findModelByName(db, workspaceId, name);
  if (name !== "FLOW" && !found) throw missing(`Model ${name}`);
  const choice = found ? { modelId: found.id, temperature: ofFlow?.temperature } : ofFlow;
  const model = await openModel(db, workspaceId, choice);
  return model === scripted ? null : model;
}
