import { Button, Progress, Stack, Table, Text, Tooltip } from "@mantine/core";
import type { CallRow, TurnLatency } from "@parley/sdk";
import { useState } from "react";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { formatMilliseconds } from "#web/ui/format/format.ts";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";

const BARS_AT_ONCE = 20;

const STAGES: { key: keyof TurnLatency; label: string; color: string }[] = [
  { key: "endpointingMs", label: t`End of turn`, color: "gray.6" },
  { key: "sttMs", label: t`Transcriber`, color: "cyan.7" },
  { key: "modelMs", label: t`Model`, color: "parley.6" },
  { key: "toolsMs", label: t`Tools`, color: "orange.6" },
  { key: "ttsMs", label: t`Voice`, color: "grape.6" },
  { key: "transportMs", label: t`Transport`, color: "teal.7" },
];

interface TurnBar {
  index: number;
  totalMs: number;
  stages: { label: string; color: string; ms: number }[];
}

/** Bars of the customer's wait before each answer, by stage. */
export function LatencyBars({ call }: { call: CallRow }) {
  const bars = toBars(call);
  const [most, setMost] = useState(BARS_AT_ONCE);
  const isScripted = isOfScriptedModel(call);
  if (bars.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {isScripted
          ? t`The scripted model spoke, which takes no time, and the call had no audio: there is no latency to show.`
          : call.endedAt === null
            ? t`The agent has not answered anything yet, so there is nothing to measure.`
            : t`The agent answered nothing in this call, so there is nothing to measure.`}
      </Text>
    );
  }
  const longestMs = Math.max(...bars.map(({ totalMs }) => totalMs), 1);
  const labels = STAGES.filter(({ label }) => bars.some(({ stages }) => stages.some((stage) => stage.label === label)));
  return (
    <Stack gap="sm">
      <Text fz="sm">
        {rich`p50 ${<b>{formatMilliseconds(call.latency.p50Ms)}</b>} · p95 ${<b>{formatMilliseconds(call.latency.p95Ms)}</b>}`}
        {bars.length > 0 && labels.length === 1 && t` · the model's time; this call had no audio to measure`}
        {isScripted && t` · without a model's time: the scripted model spoke`}
      </Text>
      <div className="legend-row">
        {labels.map(({ label, color }) => (
          <span
            key={label}
            className="legend"
            style={{ "--legend": `var(--mantine-color-${color.replace(".", "-")})` } as React.CSSProperties}
          >
            {label}
          </span>
        ))}
      </div>
      <BoxedTable withRowBorders={false} verticalSpacing={2} label={t`Latency by turn`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={70}>{t`Answer`}</Table.Th>
            <Table.Th>{t`Waited for`}</Table.Th>
            <Table.Th w={90} ta="right">
              {t`Total`}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bars.slice(0, most).map((bar) => (
            <BarRow key={bar.index} bar={bar} longestMs={longestMs} />
          ))}
        </Table.Tbody>
      </BoxedTable>
      {bars.length > most && (
        <Button variant="subtle" size="xs" onClick={() => setMost(most + BARS_AT_ONCE)}>
          {t`Show ${Math.min(BARS_AT_ONCE, bars.length - most)} more of ${bars.length - most} answers`}
        </Button>
      )}
    </Stack>
  );
}

/** The scripted model takes no time, so the time of its turns is not measured. */
function isOfScriptedModel({ latency, transcript }: CallRow): boolean {
  return latency.turns.length === 0 && transcript.some(({ role }) => role === "ASSISTANT");
}

function BarRow({ bar, longestMs }: { bar: TurnBar; longestMs: number }) {
  return (
    <Table.Tr>
      <Table.Td>{bar.index + 1}</Table.Td>
      <Table.Td>
        <Progress.Root size={14} radius="sm" bg="transparent">
          {bar.stages.map(({ label, color, ms }) => (
            <Tooltip key={label} label={`${label}: ${formatMilliseconds(ms)}`}>
              <Progress.Section
                value={Math.max(0.6, (100 * ms) / longestMs)}
                color={color}
                aria-label={`${label}: ${formatMilliseconds(ms)}`}
              />
            </Tooltip>
          ))}
        </Progress.Root>
      </Table.Td>
      <Table.Td ta="right">{formatMilliseconds(bar.totalMs)}</Table.Td>
    </Table.Tr>
  );
}

/** True for a call of which the time before an answer was measured. */
export function hasLatency(call: CallRow): boolean {
  return toBars(call).length > 0;
}

/** Returns the bars: by stage for a call with audio, else the model's time alone. */
function toBars(call: CallRow): TurnBar[] {
  const measured = call.transcript.flatMap(({ latency }) => (latency ? [latency] : []));
  if (measured.length === 0) {
    return call.latency.turns.map(({ index, modelMs }) => ({
      index,
      totalMs: modelMs,
      stages: [{ label: t`Model`, color: "parley.6", ms: modelMs }],
    }));
  }
  return measured.map((latency, index) => ({
    index,
    totalMs: latency.totalMs,
    stages: STAGES.map(({ key, label, color }) => ({ key, label, color, ms: latency[key] })).filter(
      ({ key, ms }) => ms > 0 && !(key === "modelMs" && isOfScriptedModel(call)),
    ),
  }));
}
