import { Alert, Button, Group, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "#web/i18n/t.ts";
import { JsonView } from "#web/ui/json-view.tsx";
import { findDifferences } from "./find-differences.ts";

/** Props of the dialog: its versions and the action of each choice. */
export interface StaleProps<T> {
  mine: T;
  /** The version that another person saved; null: none, the dialog is closed. */
  stored: T | null;
  close: () => void;
  overwrite: (stored: T) => void;
  keepBoth: (stored: T) => void;
  takeTheirs: (stored: T) => void;
  /** Shows the differences between two versions more readably than their JSON. */
  compare?: ((stored: T, mine: T) => ReactNode) | undefined;
}

/** Dialog for a save after another person's. No typed text is lost until the person chooses. */
export function StaleDialog<T extends object>(props: StaleProps<T>) {
  const { mine, stored, close, overwrite, keepBoth, takeTheirs, compare } = props;
  const then = (act: (theirs: T) => void) => () => {
    close();
    if (stored !== null) act(stored);
  };
  return (
    <Modal.Root opened={stored !== null} onClose={close} size="xl">
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md">
          <Stack>
            {/* No header of a modal: the form below may stand in one, and a page has one banner. */}
            <Group justify="space-between" wrap="nowrap">
              <Modal.Title fw={600}>{t`Somebody else saved first`}</Modal.Title>
              <Modal.CloseButton aria-label={t`Close`} />
            </Group>
            <Alert color="orange" variant="light">
              {t`Your changes are still in the form, and nothing is lost until you choose. Keep both takes yours where you changed something and theirs everywhere else.`}
            </Alert>
            {stored !== null && (compare ? compare(stored, mine) : <SideBySide mine={mine} stored={stored} />)}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {t`Back to the form`}
              </Button>
              <Button variant="default" onClick={then(takeTheirs)}>
                {t`Take theirs`}
              </Button>
              <Button variant="default" c="red" onClick={then(overwrite)}>
                {t`Overwrite with mine`}
              </Button>
              <Button onClick={then(keepBoth)}>{t`Keep both`}</Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function SideBySide<T extends object>({ mine, stored }: { mine: T; stored: T }) {
  const differences = findDifferences(mine, stored);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Side title={t`Yours`} label={t`Your version`} value={differences.left} />
      <Side title={t`Stored now`} label={t`Stored version`} value={differences.right} />
    </SimpleGrid>
  );
}

function Side({ title, label, value }: { title: string; label: string; value: object }) {
  return (
    <Stack gap={4}>
      <Text fz="sm" fw={550}>
        {title}
      </Text>
      <JsonView value={value} label={label} maxHeight={320} />
    </Stack>
  );
}
