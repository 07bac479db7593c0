import { Alert, Button, FileButton, Group, List, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { explainError } from "#web/api/api-error.ts";
import { nameFault } from "#web/api/fault-notes.ts";
import { keyOf } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useDialogState } from "#web/ui/form/unsaved.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { addNumbers, DO_NOT_CALL_PATH, readNumbers, type ReadNumbers } from "./do-not-call.ts";

const BAD_LINES_SHOWN = 5;

/** Adds numbers from pasted text or a file. */
export function AddNumbersDialog({ close }: { close: () => void }) {
  const [text, setText, settle] = useDialogState("do-not-call", () => "");
  const found = useMemo(() => readNumbers(text), [text]);
  const { fault, progress, add } = useAdd(settle, close);
  const count = found.numbers.length;
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>{t`Add numbers`}</Text>}>
      <Stack>
        <FormFault fault={fault} />
        <Textarea
          label={t`Numbers`}
          description={t`One in each line, with its country: +49 30 901820. What else a line holds is passed over.`}
          placeholder={"+1 202 555 0100\n+49 30 901820"}
          autosize
          minRows={6}
          maxRows={14}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group>
          <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void file?.text().then(setText)}>
            {(props) => (
              <Button {...props} variant="default" size="xs" leftSection={<Icon name="upload" size={14} />}>
                {t`From a file`}
              </Button>
            )}
          </FileButton>
          <Text fz="sm" c="dimmed" aria-live="polite">
            {text === "" ? t`CSV or plain text.` : plural(count, "{n} number found.", "{n} numbers found.")}
          </Text>
        </Group>
        <BadLines bad={found.bad} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t`Cancel`}
          </Button>
          <Button disabled={count === 0 || progress !== null} onClick={() => void add(found.numbers)}>
            {progress === null
              ? t`Add ${formatNumber(count)}`
              : t`${formatNumber(progress)} of ${formatNumber(count)} …`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function useAdd(settle: () => void, close: () => void) {
  const { id } = useWorkspace();
  const client = useQueryClient();
  const [fault, setFault] = useState<string | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const notify = useFaultNotice();
  const add = async (numbers: string[]) => {
    setFault(null);
    setProgress(0);
    try {
      await addNumbers(id, numbers, setProgress).catch(nameFault(t`Not all numbers were added`));
      showDone(plural(numbers.length, "{n} number is on the list.", "{n} numbers are on the list."));
      settle();
      close();
    } catch (error) {
      notify(error, () => setFault(explainError(error)));
    } finally {
      setProgress(null);
      await client.invalidateQueries({ queryKey: keyOf(id, DO_NOT_CALL_PATH) });
    }
  };
  return { fault, progress, add };
}

function BadLines({ bad }: { bad: ReadNumbers["bad"] }) {
  if (bad.length === 0) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      title={plural(bad.length, "{n} line holds no number with a country", "{n} lines hold no number with a country")}
    >
      <List fz="sm">
        {bad.slice(0, BAD_LINES_SHOWN).map(({ line, text }) => (
          <List.Item key={line} style={{ overflowWrap: "anywhere" }}>
            {t`Line ${line}: ${text}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
