import { Progress, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { inWorkspace } from "#web/api/http.ts";
import { keyOf } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { upload } from "#web/api/upload.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { DropBox } from "#web/ui/drop-box.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Time } from "#web/ui/time.tsx";
import { JOBS_PATH, type TranscriptionJob } from "./transcription.ts";

/** Card of the spreadsheet with the metadata of recordings. */
export function SpreadsheetCard({ job, mayWrite }: { job: TranscriptionJob; mayWrite: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const [share, setShare] = useState<number | null>(null);
  const { spreadsheet } = job;
  if (!spreadsheet && !mayWrite) return null;
  const sendSheet = async (file: File) => {
    const form = new FormData();
    form.append("file", file);
    setShare(0);
    try {
      await upload(inWorkspace(workspaceId, `${JOBS_PATH}/${job.id}/spreadsheet`), form, setShare);
      await client.invalidateQueries({ queryKey: keyOf(workspaceId, JOBS_PATH) });
      showDone(t`The spreadsheet is read. Recordings that come from now on get its metadata.`);
    } catch (error) {
      showFault(error, t`The spreadsheet was not taken`);
    } finally {
      setShare(null);
    }
  };
  return (
    <Card title={t`Spreadsheet`}>
      <Stack gap="sm">
        {spreadsheet && (
          <Text fz="sm">
            {rich`${spreadsheet.fileName ?? t`Unnamed`}: ${formatNumber(spreadsheet.rows)} rows, columns ${spreadsheet.columns.join(", ")}. Uploaded ${<Time at={spreadsheet.uploadedAt} ago />}.`}
          </Text>
        )}
        {mayWrite && (
          <DropBox
            label={spreadsheet ? t`Put another in its place` : t`Drop a CSV or XLSX, or choose one`}
            hint={t`A column fileName or externalId names the recording; the others become metadata.`}
            accept=".csv,.xlsx"
            onFiles={([file]) => file && void sendSheet(file)}
          />
        )}
        {share !== null && <Progress value={share * 100} aria-label={t`Upload of the spreadsheet`} />}
      </Stack>
    </Card>
  );
}
