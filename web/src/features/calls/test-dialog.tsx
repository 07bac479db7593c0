import { Alert, Badge, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { explainError } from "#web/api/api-error.ts";
import { useRead, useWrite } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { saveFile } from "#web/ui/table/csv.ts";
import { useProposal } from "./use-proposal.ts";

/** The parts of a suite's run that the dialog shows. */
interface Run {
  id: string;
  state: string;
  error: { code: string; message: string } | null;
  report: { scenarios: { conversations: { failures: { code: string; message: string }[] }[] }[] } | null;
}

const ASK_MS = 700;
const OVER = ["PASSED", "FAILED", "ERROR", "CANCELLED"];

/** A test suite made from a call: to read, to save as a file, and to run against the current flow. */
export function TestDialog({ rowId, close }: { rowId: string; close: () => void }) {
  const proposal = useProposal(rowId);
  return (
    <Modal opened onClose={close} size="xl" title={<Text fw={600}>{t`Test from this call`}</Text>}>
      <Loaded read={proposal}>
        {({ suite, removed, notes }) => (
          <Stack>
            <Text fz="sm">
              {t`A simulated person says what the customer said, tools answer as they did, and the result must be the same.`}
              {removed.length > 0 && t` Personal data was replaced:`}
            </Text>
            {removed.length > 0 && (
              <Group gap="xs">
                {removed.map(({ kind, count }) => (
                  <Badge key={kind} variant="light" color="gray" radius="sm" tt="none">
                    {count} × {formatName(kind)}
                  </Badge>
                ))}
              </Group>
            )}
            {notes.length > 0 && (
              <Alert color="orange" variant="light" icon={<Icon name="alert" />}>
                {notes.map((note) => (
                  <Text key={note} fz="sm">
                    {note}
                  </Text>
                ))}
              </Alert>
            )}
            <CodeBlock text={suite} label={t`test suite`} maxHeight={340} />
            <TestRun suite={suite} fileName={`call-${rowId.slice(-8)}.suite.yaml`} />
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}

function TestRun({ suite, fileName }: { suite: string; fileName: string }) {
  const mayRun = useMay("FLOWS_WRITE");
  const start = useWrite<Run>({
    failed: t`The test was not run`,
    method: "POST",
    path: "/simulations",
    body: () => ({ suite, compareWith: "none" }),
  });
  const id = start.data?.id;
  const run = useRead<Run>(`/simulations/${id}`, undefined, {
    enabled: id !== undefined,
    refreshMs: (read) => (read && OVER.includes(read.state) ? false : ASK_MS),
  });
  const latest = run.data?.id === id ? run.data : start.data;
  const isRunning = start.isPending || (latest !== undefined && !OVER.includes(latest.state));
  return (
    <>
      <FormFault fault={start.error ? explainError(start.error) : null} />
      {latest && !isRunning && <Verdict run={latest} />}
      <Group justify="flex-end">
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          onClick={() => saveFile(fileName, suite, "text/yaml")}
        >
          {t`Save file`}
        </Button>
        {mayRun && (
          <Button leftSection={<Icon name="play" />} loading={isRunning} onClick={() => start.mutate()}>
            {t`Run now`}
          </Button>
        )}
      </Group>
    </>
  );
}

function Verdict({ run }: { run: Run }) {
  const failures = (run.report?.scenarios ?? []).flatMap(({ conversations }) =>
    conversations.flatMap((conversation) => conversation.failures),
  );
  const isGood = run.state === "PASSED";
  return (
    <Alert
      color={isGood ? "green" : "red"}
      variant="light"
      icon={<Icon name={isGood ? "check" : "alert"} />}
      title={isGood ? t`Passed` : t`Did not pass`}
      role="status"
    >
      {isGood && <Text fz="sm">{t`The flow still does what it did on this call.`}</Text>}
      {run.error && <Text fz="sm">{run.error.message}</Text>}
      {failures.map(({ code, message }) => (
        <Text key={`${code} ${message}`} fz="sm">
          {message}
        </Text>
      ))}
    </Alert>
  );
}
