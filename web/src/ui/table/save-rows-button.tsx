import { Button } from "@mantine/core";
import { showDone } from "#web/api/undo.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { Column } from "./columns.ts";
import { saveFile, toCsv } from "./csv.ts";

/** Saves a completely loaded list as CSV. */
export function SaveRowsButton<T>({
  rows = [],
  columns,
  fileName,
}: {
  rows: T[] | undefined;
  columns: Column<T>[];
  fileName: string;
}) {
  const save = () => {
    saveFile(fileName, toCsv(rows, columns));
    showDone(`${formatNumber(rows.length)} ${rows.length === 1 ? "row" : "rows"} exported.`);
  };
  return (
    <Button
      size="xs"
      variant="default"
      disabled={rows.length === 0}
      leftSection={<Icon name="download" size={14} />}
      onClick={save}
    >
      Export CSV
    </Button>
  );
}
