import { Accordion, Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatJson } from "#web/api/exact-json.ts";
import { useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { checkJsonObject, readJsonObject, toJsonText } from "#web/ui/form/json-text.ts";
import { formatMilliseconds } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { TaskView } from "./echo-drawer.tsx";
import { ExchangeList } from "./exchange-list.tsx";
import { sampleInput, type Tool, TOOLS_PATH, type ToolTrial } from "./tool.ts";

/** Runs the stored tool once and shows its requests and its result. */
export function ToolRunCard({ tool, isDirty }: { tool: Tool; isDirty: boolean }) {
  const [input, setInput] = useState(() => toJsonText(sampleInput(tool.parameters)));
  const [variables, setVariables] = useState("{}");
  const faults = [checkJsonObject(input), checkJsonObject(variables)];
  const run = useWrite<ToolTrial, object>({
    failed: t`The tool was not run`,
    method: "POST",
    path: `${TOOLS_PATH}/${tool.id}/run`,
  });
  const start = () =>
    void run.mutateAsync({ input: readJsonObject(input), variables: readJsonObject(variables) }).catch(showFault);
  const isMocked = tool.mockConfig?.enabled === true;
  return (
    <Card>
      <Stack>
        <Text fz="sm" c="dimmed">
          {isMocked ? t`The mock answers; nothing leaves.` : t`Requests are really sent; transfers are only logged.`}
        </Text>
        {isDirty && (
          <Alert color="orange" variant="light" icon={<Icon name="info" />}>
            {t`Your changes are not saved: the stored version runs.`}
          </Alert>
        )}
        <TextEditor
          label={t`Input`}
          language="json"
          minHeight={90}
          value={input}
          onChange={setInput}
          error={faults[0] ?? null}
        />
        <Accordion variant="contained">
          <Accordion.Item value="variables">
            <Accordion.Control>{t`Session variables`}</Accordion.Control>
            <Accordion.Panel>
              <TextEditor
                label={t`Variables`}
                language="json"
                minHeight={70}
                value={variables}
                onChange={setVariables}
                error={faults[1] ?? null}
              />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        <Button
          leftSection={<Icon name="play" />}
          onClick={start}
          loading={run.isPending}
          disabled={faults.some((fault) => fault !== null)}
        >
          {t`Run once`}
        </Button>
        {run.data && <Trial trial={run.data} />}
      </Stack>
    </Card>
  );
}

const OUTCOMES = {
  VALUE: ["SUCCEEDED", t`[reply] Answered`],
  FAILED: ["FAILED", t`Failed`],
  PENDING: ["WAITING", t`Answer comes later`],
  TRANSFER: ["TRANSFERRED", t`Would transfer`],
} as const;

function Trial({ trial }: { trial: ToolTrial }) {
  const [status, label] = OUTCOMES[trial.outcome];
  return (
    <Stack gap="sm" aria-live="polite">
      <Group gap="xs">
        <StatusBadge status={status} label={label} />
        <Text fz="sm" c="dimmed">
          {formatMilliseconds(trial.durationMs)}
          {trial.errorCode ? ` · ${trial.errorCode}` : ""}
        </Text>
      </Group>
      {trial.content !== null && <Content text={trial.content} />}
      {trial.transfer !== null && <JsonView value={trial.transfer} label={t`Transfer`} />}
      {Object.keys(trial.variables).length > 0 && <JsonView value={trial.variables} label={t`Variables kept`} />}
      {trial.taskId !== null && <TaskView key={trial.taskId} taskId={trial.taskId} />}
      <ExchangeList exchanges={trial.exchanges} />
    </Stack>
  );
}

function Content({ text }: { text: string }) {
  return (
    <div>
      <Text fz="sm" fw={550} mb={4}>
        {t`What the model is told`}
      </Text>
      <CodeBlock text={pretty(text)} label={t`Answer`} maxHeight={260} />
    </div>
  );
}

function pretty(text: string): string {
  try {
    JSON.parse(text);
    return formatJson(text);
  } catch {
    return text;
  }
}
