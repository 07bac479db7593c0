import { showDone } from "#web/api/undo.tsx";
import { plural } from "#web/i18n/t.ts";
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
    showDone(plural(rows.length, "{n} row exported.", "{n} rows exported."));
  };
  return <FileButtons isDisabled={rows.length === 0} save={(kind) => void save(kind)} />;
}
