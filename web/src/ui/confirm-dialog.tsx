import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import type { Question } from "./question.ts";

/** Dialog to confirm an action that cannot be undone. */
export function ConfirmDialog({ question, close }: { question: Question; close: (yes: boolean) => void }) {
  return (
    <Modal opened onClose={() => close(false)} title={<Text fw={600}>{question.title}</Text>}>
      <Stack>
        <Text component="div" fz="sm">
          {question.body}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => close(false)}>
            {t`Cancel`}
          </Button>
          <Button color={question.isDangerous ? "red.9" : "parley"} onClick={() => close(true)} data-autofocus>
            {question.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
