import { Button } from "@mantine/core";
import { useState } from "react";
import type { Query } from "#web/api/http.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { Column } from "./columns.ts";
import { exportList } from "./export-list.ts";

/** Saves all filtered rows as CSV, and counts them while it reads. */
export function ExportButton<T>(list: { path: string; query: Query; columns: Column<T>[]; fileName: string }) {
  const { id: workspaceId } = useWorkspace();
  const [progress, setProgress] = useState<string | null>(null);
  const run = async () => {
    setProgress("…");
    try {
      const count = await exportList({ ...list, workspaceId }, (done, total) =>
        setProgress(total === null ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`),
      );
      showDone(`${formatNumber(count)} rows exported.`);
    } catch (error) {
      showFault(error);
    } finally {
      setProgress(null);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      disabled={progress !== null}
      leftSection={<Icon name="download" size={14} />}
      onClick={() => void run()}
    >
      {progress ?? "Export CSV"}
    </Button>
  );
}
