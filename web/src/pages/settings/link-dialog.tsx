import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { Time } from "#web/ui/time.tsx";
import type { GivenLink } from "./people.ts";

/** A link that somebody else opens; it is shown this once. */
export function LinkDialog({ title, link, close }: { title: string; link: GivenLink; close: () => void }) {
  return (
    <Modal opened onClose={close} size="lg" closeOnClickOutside={false} title={<Text fw={600}>{title}</Text>}>
      <Stack>
        <Alert color="orange" variant="light">
          Send this link yourself, over a way that only its reader sees: whoever opens it first has it. It is not shown
          again.
        </Alert>
        <CodeBlock text={link.url} label="link" />
        <Text fz="sm" c="dimmed">
          Valid until <Time at={link.expiresAt} />, for one use.
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
