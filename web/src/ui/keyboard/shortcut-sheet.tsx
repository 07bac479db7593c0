import { Group, Kbd, Modal, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { groupShortcuts, keyNames } from "./shortcut-list.ts";
import { useShortcuts } from "./shortcuts.tsx";

/** Sheet of all shortcuts of the open screen. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} size="lg" title={<Text fw={600}>{t`Keyboard shortcuts`}</Text>}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {groupShortcuts(useShortcuts()).map(({ group, items }) => (
          <Stack key={group} gap={6}>
            <Title order={3} fz="xs" c="dimmed" fw={600}>
              {group}
            </Title>
            {items.map(({ keys, label }) => (
              <Group key={keys} justify="space-between" wrap="nowrap">
                <Text fz="sm">{label}</Text>
                <Group gap={4} wrap="nowrap">
                  {keyNames(keys).map((key) => (
                    <Kbd key={key} size="xs">
                      {key}
                    </Kbd>
                  ))}
                </Group>
              </Group>
            ))}
          </Stack>
        ))}
      </SimpleGrid>
      <Text fz="xs" c="dimmed" mt="lg">
        {t`These work on this screen. Others add their own, such as N for something new.`}
      </Text>
    </Modal>
  );
}
