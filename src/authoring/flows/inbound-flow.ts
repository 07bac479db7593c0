import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type SelectedFlow, selectFlow } from "./flows.ts";

/**
 * Returns the flow that answers at a number: its own if that still exists, else the default one; null when there is
 * neither.
 */
export async function selectInboundFlow(
  tx: Executor,
  workspaceId: string,
  inboundFlowId: string | null,
): Promise<SelectedFlow | null> {
  const own = inboundFlowId === null ? null : await selectOrNull(tx, workspaceId, { flowId: inboundFlowId });
  return own ?? selectOrNull(tx, workspaceId, {});
}

async function selectOrNull(
  tx: Executor,
  workspaceId: string,
  body: { flowId?: string },
): Promise<SelectedFlow | null> {
  try {
    return await selectFlow(tx, workspaceId, body);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  }
}
