import { useState } from "react";
import type { Query } from "#web/api/http.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import type { Column } from "./columns.ts";
import { exportList } from "./export-list.ts";
import { FileButtons } from "./file-buttons.tsx";
import type { FileKind } from "./table-file.ts";

/** Saves all filtered rows as CSV or XLSX, and counts them while it reads. */
export function ExportButton<T>(list: { path: string; query: Query; columns: Column<T>[]; fileName: string }) {
  const { id: workspaceId } = useWorkspace();
  const [progress, setProgress] = useState<string | null>(null);
  const run = async (kind: FileKind) => {
    setProgress("…");
    try {
      const { count, isCut } = await exportList({ ...list, workspaceId }, kind, (done, total) =>
        setProgress(total === null ? formatNumber(done) : t`${formatNumber(done)} of ${formatNumber(total)}`),
      );
      const rest = isCut ? t` The list is longer: filter it, or take a report.` : "";
      showDone(t`${formatNumber(count)} rows exported.${rest}`);
    } catch (error) {
      showFault(error);
    } finally {
      setProgress(null);
    }
  };
  return <FileButtons progress={progress} save={(kind) => void run(kind)} />;
}
