import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "./code-block.tsx";

interface ShownOnceDialogProps {
  title: string;
  /** Instruction for the secret, and the notice that it is not shown again. */
  warning: string;
  /** Text to copy; `label` is its name for screen readers. */
  text: string;
  label: string;
  /** Further information about it. */
  children: ReactNode;
  close: () => void;
}

/** Dialog with a secret or a link that is shown only once; a click beside it does not close it. */
export function ShownOnceDialog({ title, warning, text, label, children, close }: ShownOnceDialogProps) {
  return (
    <Modal opened onClose={close} size="lg" closeOnClickOutside={false} title={<Text fw={600}>{title}</Text>}>
      <Stack>
        <Alert color="orange" variant="light">
          {warning}
        </Alert>
        <CodeBlock text={text} label={label} />
        <Text fz="sm" c="dimmed">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>{t`I have copied it`}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
