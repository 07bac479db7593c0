import { Button, Drawer, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { checkJsonText, readJsonText } from "#web/ui/form/json-text.ts";
import { JsonView } from "#web/ui/json-view.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";

interface Accepted {
  toolTaskId: string;
}

/** A task of an async tool. */
interface ToolTask {
  status: string;
}

const POLL_MS = 1_000;
const PENDING = "PENDING";

/** Sends a body to the echo endpoints and shows the reply, at once or by the callback. */
export function EchoDrawer({ close }: { close: () => void }) {
  const [text, setText] = useState('{\n  "hello": "world"\n}');
  const [delaySeconds, setDelaySeconds] = useState<number | string>(2);
  const [taskId, setTaskId] = useState<string | null>(null);
  const fault = checkJsonText(text);
  const sync = useWrite<unknown, unknown>({
    failed: t`No echo came`,
    method: "POST",
    path: "/test/sync-echo",
    isExact: true,
  });
  const later = useWrite<Accepted, unknown>({
    failed: t`No task was made`,
    method: "POST",
    path: `/test/async-echo?delaySeconds=${Number(delaySeconds) || 0}`,
  });
  const body = () => readJsonText(text) ?? {};
  const sendSync = () => {
    setTaskId(null);
    void sync.mutateAsync(body()).catch(showFault);
  };
  const sendAsync = () => {
    sync.reset();
    setTaskId(null);
    void later.mutateAsync(body()).then(({ toolTaskId }) => setTaskId(toolTaskId), showFault);
  };
  return (
    <Drawer opened onClose={close} position="right" size={520} title={<Text fw={600}>{t`Echo endpoints`}</Text>}>
      <Stack>
        <Text fz="sm" c="dimmed">
          {t`They answer with what they were sent: at once, or later by the callback that async tools use. Point a tool at them to see what it sends.`}
        </Text>
        <TextEditor label={t`Body`} language="json" value={text} onChange={setText} error={fault} minHeight={110} />
        <Group align="flex-end">
          <Button onClick={sendSync} loading={sync.isPending} disabled={fault !== null}>
            {t`Sync echo`}
          </Button>
          <Button variant="default" onClick={sendAsync} loading={later.isPending} disabled={fault !== null}>
            {t`Async echo`}
          </Button>
          <NumberInput
            label={t`Delay in seconds`}
            min={0}
            max={120}
            w={130}
            value={delaySeconds}
            onChange={setDelaySeconds}
          />
        </Group>
        {sync.data !== undefined && <JsonView value={sync.data} label={t`Echo`} />}
        {taskId !== null && <TaskView taskId={taskId} />}
      </Stack>
    </Drawer>
  );
}

/** Shows a task of an async tool, read repeatedly until it has ended. */
export function TaskView({ taskId }: { taskId: string }) {
  const read = useRead<ToolTask>(`/tool-tasks/${taskId}`, undefined, {
    refreshMs: (data) => (data?.status === PENDING ? POLL_MS : false),
    isExact: true,
  });
  const status = read.data?.status;
  if (read.error) return <Text fz="sm">{t`The task cannot be read.`}</Text>;
  return (
    <Stack gap="xs" aria-live="polite">
      <Group gap="xs">
        <Text fz="sm" fw={550}>
          {t`Callback`}
        </Text>
        {status && <StatusBadge status={status} />}
      </Group>
      {read.data && <JsonView value={read.data} label={t`Tool task`} />}
    </Stack>
  );
}
