import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { CallRow, FlowVersion } from "@parley/sdk";
import { lazy, Suspense, useMemo } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { isUnderWay } from "#web/domain/call/call.ts";
import { t } from "#web/i18n/t.ts";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { layOut } from "./stage-layout.ts";
import { toRunMarks } from "./stage-run.ts";
import { StageTrail } from "./stage-trail.tsx";
import { toStage } from "./stage.ts";

const StageCanvas = lazy(async () => ({ default: (await import("./stage-canvas.tsx")).StageCanvas }));

/** The stages of a call that is followed, with the one in which it is; on request also on the map of its flow. */
export function CallStages({ call }: { call: CallRow }) {
  const { flowId, flowVersion, stagePath } = call;
  const [isMapShown, map] = useDisclosure(false);
  const enabled = useMay("FLOWS_READ") && stagePath.length > 0 && flowId !== null && flowVersion !== null;
  const version = useRead<FlowVersion>(`/flows/${flowId}/versions/${flowVersion}`, undefined, { enabled });
  const stages = useMemo(() => (enabled ? (version.data?.stages ?? []).map(toStage) : []), [enabled, version.data]);
  const places = useMemo(() => layOut(stages), [stages]);
  const isLive = isUnderWay(call);
  const marks = useMemo(() => toRunMarks({ path: stagePath, isOver: !isLive }), [stagePath, isLive]);
  if (stagePath.length === 0) return null;
  return (
    <section aria-label={t`Stages of the call`} className="call-stages">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text fz="xs" c="dimmed">
          {t`Stages`}
        </Text>
        {stages.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={map.toggle} aria-expanded={isMapShown}>
            {t`Map`}
          </Button>
        )}
      </Group>
      <StageTrail path={stagePath} at={isLive ? stagePath.length - 1 : null} />
      {isMapShown && stages.length > 0 && (
        <Suspense fallback={<LoadingBars count={3} />}>
          <StageCanvas label={t`Map of the stages`} {...{ stages, places, marks }} />
        </Suspense>
      )}
    </section>
  );
}
