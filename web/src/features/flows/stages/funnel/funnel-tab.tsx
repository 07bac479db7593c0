import { Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { StageFunnel } from "@parley/sdk";
import { lazy, Suspense, useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import { useAllRows } from "#web/api/all-rows.ts";
import { useRead } from "#web/api/queries.ts";
import type { Flow, FlowVersion, FlowVersionEntry } from "#web/domain/flow/flow.ts";
import { layOut } from "#web/domain/stage/stage-layout.ts";
import type { NameOf } from "#web/domain/stage/stage-words.ts";
import { type Stage, toStage } from "#web/domain/stage/stage.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FaultNote, LoadingBars } from "#web/ui/load-state.tsx";
import { BREAKPOINTS } from "#web/ui/theme/breakpoints.ts";
import { type ChosenTime, FIRST_TIME, TIMES, toSpan } from "./funnel-range.ts";
import { FunnelTable } from "./funnel-table.tsx";
import { toTraffic } from "./funnel-traffic.ts";

const StageCanvas = lazy(async () => ({
  default: (await import("#web/domain/stage/stage-canvas.tsx")).StageCanvas,
}));

/** Counts of a version's sessions that reached each stage, and of the edges by which they left it, on the map and as a table. */
export function FunnelTab({ flow, nameOf }: { flow: Flow; nameOf: NameOf }) {
  const [params, setParams] = useSearchParams();
  const [openedMs] = useState(() => Date.now());
  const chosen = {
    time: params.get("time") ?? FIRST_TIME,
    first: params.get("first"),
    last: params.get("last"),
  };
  const version = Number(params.get("version") ?? flow.version);
  const change = (name: string, value: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const query = { version, ...toSpan(chosen, openedMs) };
  const funnel = useRead<StageFunnel>(`/flows/${flow.id}/stage-funnel`, query);
  const definition = useRead<FlowVersion>(`/flows/${flow.id}/versions/${version}`);
  const fault = funnel.error ?? definition.error;
  const stages = useMemo(() => (definition.data?.stages ?? []).map(toStage), [definition.data]);
  return (
    <Stack gap="lg">
      <FunnelFilters {...{ flow, version, chosen, change }} />
      {fault ? (
        <FaultNote error={fault} retry={() => void Promise.all([funnel.refetch(), definition.refetch()])} />
      ) : funnel.data && definition.data ? (
        <FunnelCards funnel={funnel.data} stages={stages} nameOf={nameOf} />
      ) : (
        <LoadingBars />
      )}
    </Stack>
  );
}

function FunnelFilters(props: {
  flow: Flow;
  version: number;
  chosen: ChosenTime;
  change: (name: string, value: string | null) => void;
}) {
  const { flow, version, chosen, change } = props;
  const versions = useAllRows<FlowVersionEntry>(`/flows/${flow.id}/versions`);
  const known = versions.data?.map((entry) => entry.version) ?? [version];
  return (
    <Group gap="xs" align="flex-end">
      <Select
        size="xs"
        w={150}
        label={t`Version`}
        allowDeselect={false}
        data={[...new Set([...known, version])].map((one) => ({
          value: String(one),
          label: one === flow.version ? t`v${one}, published` : `v${one}`,
        }))}
        value={String(version)}
        onChange={(next) => change("version", next)}
      />
      <Select
        size="xs"
        w={160}
        label={t`Time`}
        allowDeselect={false}
        data={TIMES}
        value={chosen.time}
        onChange={(next) => change("time", next)}
      />
      {chosen.time === "DAYS" && (
        <>
          <Day label={t`First day`} value={chosen.first} change={(day) => change("first", day)} />
          <Day label={t`Last day`} value={chosen.last} change={(day) => change("last", day)} />
        </>
      )}
    </Group>
  );
}

/** A day; while it is half typed, the one before counts. */
function Day({ label, value, change }: { label: string; value: string | null; change: (day: string) => void }) {
  return (
    <TextInput
      size="xs"
      type="date"
      label={label}
      min="2000-01-01"
      max="2199-12-31"
      defaultValue={value ?? ""}
      onChange={(event) => {
        if (event.currentTarget.validity.valid) change(event.currentTarget.value);
      }}
    />
  );
}

function FunnelCards({ funnel, stages, nameOf }: { funnel: StageFunnel; stages: Stage[]; nameOf: NameOf }) {
  const isWide = useMediaQuery(`(min-width: ${BREAKPOINTS.sm}em)`, true) ?? true;
  const places = useMemo(() => layOut(stages), [stages]);
  const { traffic, marks } = useMemo(() => toTraffic(funnel), [funnel]);
  if (stages.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`Version ${funnel.version} has no stages: it is one prompt.`}
      </Text>
    );
  }
  return (
    <>
      <Text fz="sm" role="status">
        {funnel.sessions === 0
          ? t`No call or chat of version ${funnel.version} ended in this time.`
          : plural(
              funnel.sessions,
              "{n} session of version {0}. An edge is as wide as it is often taken.",
              "{n} sessions of version {0}. An edge is as wide as it is often taken.",
              funnel.version,
            )}
      </Text>
      {isWide && (
        <Card title={t`Map`} padded={false}>
          <Suspense fallback={<LoadingBars />}>
            <StageCanvas label={t`Map of the funnel`} {...{ stages, places, traffic, marks, nameOf }} />
          </Suspense>
        </Card>
      )}
      <Card title={t`By stage`} padded={false}>
        <FunnelTable {...{ funnel, stages, nameOf }} />
      </Card>
    </>
  );
}
