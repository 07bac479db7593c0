import { showDone } from "#web/api/undo.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import type { Column } from "./columns.ts";
import { saveBlob } from "./csv.ts";
import { FileButtons } from "./file-buttons.tsx";
import { beginFile, type FileKind } from "./table-file.ts";

/** Saves a completely loaded list as CSV or XLSX. */
export function SaveRowsButton<T>({
  rows = [],
  columns,
  fileName,
}: {
  rows: T[] | undefined;
  columns: Column<T>[];
  fileName: string;
}) {
  const save = async (kind: FileKind) => {
    const file = await beginFile(kind, columns);
    await file.add(rows);
    saveBlob(`${fileName.replace(/\.csv$/, "")}.${kind}`, await file.finish());
    showDone(`${formatNumber(rows.length)} ${rows.length === 1 ? "row" : "rows"} exported.`);
  };
  return <FileButtons isDisabled={rows.length === 0} save={(kind) => void save(kind)} />;
}
