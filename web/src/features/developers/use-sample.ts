import { useQueryClient } from "@tanstack/react-query";
import { keyOf } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { ARRIVALS_PATH, INSPECTOR_PATH } from "./inspector.ts";

const SAMPLE = {
  eventType: "test.request",
  message: t`Sent by the dashboard. A real event has an id, a signature and what happened.`,
};

/** Sends a sample request to the inspector, as an outside server would, and shows it. */
export function useSample(url: string | undefined): () => void {
  const { id } = useWorkspace();
  const client = useQueryClient();
  const run = async () => {
    if (url === undefined) return;
    // The page may be open under a host name other than the public one.
    await fetch(new URL(url).pathname, {
      method: "POST",
      credentials: "omit",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...SAMPLE, sentAt: new Date().toISOString() }),
    });
    await client.invalidateQueries({ queryKey: keyOf(id, ARRIVALS_PATH) });
    await client.invalidateQueries({ queryKey: keyOf(id, INSPECTOR_PATH) });
  };
  return () => void run().catch(showFault);
}
