import { Anchor, Button, Group, Select, Stack, Text } from "@mantine/core";
import type { Persona } from "@parley/sdk";
import { useState } from "react";
import { Link } from "wouter";
import { explainError } from "#web/api/api-error.ts";
import { useRead, useWrite } from "#web/api/queries.ts";
import type { FlowFields } from "#web/domain/flow/flow.ts";
import { FoundFields } from "#web/domain/flow/found-fields.tsx";
import { ConversationView } from "#web/domain/simulation/conversation-view.tsx";
import { isRunning, type Simulation, WATCH_MS } from "#web/domain/simulation/simulation.ts";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { formatDuration } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { RunTrail } from "./stages/run-trail.tsx";
import type { TestProps } from "./test-props.ts";

/** Test conversation of the form's flow with a simulated person; nobody is called and no tool runs. */
export function PersonaTest({ flow, fields, contactName, showRun }: TestProps) {
  const personas = useRead<Persona[]>("/personas");
  const tools = useRead<{ id: string; name: string; isSystem: boolean }[]>("/tools");
  const [persona, setPersona] = useState("agrees");
  const [runId, setRunId] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const write = useWrite<Simulation, void>({
    failed: t`The conversation was not run`,
    method: "POST",
    path: "/simulations",
    body: () => {
      const used = tools.data?.filter(({ id, isSystem }) => !isSystem && fields.toolIds?.includes(id)) ?? [];
      return toTrial({ title: flow.name ?? flow.apiId, persona, fields, contactName, tools: used });
    },
    refreshes: ["/simulations"],
  });
  const notify = useFaultNotice();
  const start = async () => {
    setFault(null);
    setRunId(null);
    try {
      setRunId((await write.mutateAsync()).id);
    } catch (error) {
      notify(error, () => setFault(explainError(error)));
    }
  };
  const chosen = personas.data?.find(({ name }) => name === persona);
  return (
    <Stack gap="sm">
      <FormFault fault={fault} />
      <Group align="flex-end" gap="xs">
        <Select
          label={t`Who answers`}
          data={(personas.data ?? []).map(({ name, title }) => ({ value: name, label: title }))}
          value={persona}
          onChange={(next) => next !== null && setPersona(next)}
          allowDeselect={false}
          searchable
          style={{ flex: 1 }}
        />
        <Button leftSection={<Icon name="play" size={14} />} loading={write.isPending} onClick={() => void start()}>
          {t`Run`}
        </Button>
      </Group>
      {chosen && (
        <Text fz="sm" c="dimmed">
          {chosen.description}
        </Text>
      )}
      {runId !== null && <TrialResult runId={runId} showRun={showRun} />}
    </Stack>
  );
}

function TrialResult({ runId, showRun }: { runId: string } & Pick<TestProps, "showRun">) {
  const [isOver, setOver] = useState(false);
  const read = useRead<Simulation>(`/simulations/${runId}`, undefined, isOver ? {} : { refreshMs: WATCH_MS });
  const run = read.data?.id === runId ? read.data : undefined;
  if (run && !isRunning(run) && !isOver) setOver(true);
  if (!run || isRunning(run)) return <LoadingBars count={4} />;
  const conversation = run.report?.scenarios[0]?.conversations[0];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          <StatusBadge status={run.state} />
          {conversation && (
            <Text fz="xs" c="dimmed">
              {conversation.outcome} · {formatDuration(conversation.callMs / 1_000)}
            </Text>
          )}
        </Group>
        <Anchor component={Link} href={`/simulations/${runId}`} fz="sm">
          {t`Open the run`}
        </Anchor>
      </Group>
      {run.error && <FormFault fault={run.error.message} />}
      {conversation && (
        <>
          <RunTrail key={runId} path={conversation.stagePath} isOver isReplayed showRun={showRun} />
          <ConversationView conversation={conversation} />
          <FoundFields outputs={conversation.outputs} />
        </>
      )}
    </Stack>
  );
}

/** Suite of one conversation; the flow's tools return success. */
function toTrial(trial: {
  title: string;
  persona: string;
  fields: FlowFields;
  contactName: string;
  tools: { name: string }[];
}): object {
  const { title, persona, fields, contactName, tools } = trial;
  return {
    suite: {
      suite: t`Trial of ${title}`,
      flow: { document: fields },
      ...(contactName === "" ? {} : { contact: { name: contactName } }),
      tools: Object.fromEntries(tools.map(({ name }) => [name, { returns: { ok: true } }])),
      scenarios: [{ name: persona, persona }],
    },
    compareWith: "none",
  };
}
