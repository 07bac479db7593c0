import { findModelByName } from "#src/authoring/language-models/language-models.ts";
import type { ModelChoice, OpenModel } from "#src/authoring/language-models/open-model.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { missing } from "#src/platform/kernel/errors.ts";

/** What a suite may name instead of a model of the workspace. */
const OWN = ["FLOW", "SCRIPTED"];

/** 404 when a suite names a model that the workspace does not have. */
export async function assertModelChoice(tx: Executor, workspaceId: string, name: string): Promise<void> {
  if (OWN.includes(name)) return;
  if (!(await findModelByName(tx, workspaceId, name))) throw missing(`Model ${name}`);
}

/**
 * Opens what a suite's agent speaks through: what the flow's own sessions would (FLOW), the scripted model, or a named
 * one. Null: the scripted model.
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
