import { Stack, Text, UnstyledButton } from "@mantine/core";
import type { CallRow, FlowVersion, StageVisit, TranscriptTurn } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatDuration, formatName } from "#web/ui/format/format.ts";

/** Shows the stages that a call walked through; a click on one shows its first line in the transcript. */
export function StagePath({ call, show }: { call: CallRow; show: (line: TranscriptTurn) => void }) {
  const { flowId, flowVersion, stagePath, transcript } = call;
  const enabled = useMay("FLOWS_READ") && stagePath.length > 0 && flowId !== null && flowVersion !== null;
  const version = useRead<FlowVersion>(`/flows/${flowId}/versions/${flowVersion}`, undefined, { enabled });
  if (stagePath.length === 0) return null;
  return (
    <Card title={t`Stages`}>
      <Stack gap="xs">
        {stagePath.map((visit) => {
          const line = transcript.find(({ index }) => index >= visit.turnIndex);
          return (
            <div key={visit.enteredAt + visit.stageId}>
              <UnstyledButton fz="sm" fw={550} disabled={!line} onClick={() => line && show(line)}>
                {visit.stageName}
              </UnstyledButton>
              <Text fz="xs" c="dimmed">
                {describeVisit(visit, version.data)}
              </Text>
            </div>
          );
        })}
      </Stack>
    </Card>
  );
}

function describeVisit({ stageId, enteredAt, leftAt, edgeId }: StageVisit, version: FlowVersion | undefined): string {
  const time = leftAt === null ? "" : formatDuration((Date.parse(leftAt) - Date.parse(enteredAt)) / 1000);
  const edge = version?.stages?.find(({ id }) => id === stageId)?.edges?.find(({ id }) => id === edgeId);
  const reason = edge ? (edge.label ?? formatName(edge.when.type)) : edgeId;
  return [time, reason].filter(Boolean).join(" · ") || t`did not leave it`;
}
