import { Group, Kbd, Modal, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useShortcuts } from "./shortcuts.tsx";

/** All shortcuts that work on the screen that is open. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const shortcuts = useShortcuts();
  const groups = [...new Set(shortcuts.map(({ group }) => group))];
  return (
    <Modal opened onClose={onClose} size="lg" title={<Text fw={600}>Keyboard shortcuts</Text>}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {groups.map((group) => (
          <Stack key={group} gap={6}>
            <Title order={3} fz="xs" c="dimmed" fw={600}>
              {group}
            </Title>
            {shortcuts
              .filter((shortcut) => shortcut.group === group)
              .map(({ keys, label }) => (
                <Group key={keys} justify="space-between" wrap="nowrap">
                  <Text fz="sm">{label}</Text>
                  <Group gap={4} wrap="nowrap">
                    {keys.split(" ").map((key) => (
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
    </Modal>
  );
}
