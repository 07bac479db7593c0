import { ActionIcon, Badge, Group, Stack, Text } from "@mantine/core";
import { Icon } from "#web/ui/icon.tsx";
import { Time } from "#web/ui/time.tsx";
import type { Passkey } from "./second-factor.ts";

interface PasskeyListProps {
  passkeys: Passkey[];
  rename: (passkey: Passkey) => void;
  remove: (passkey: Passkey) => void;
}

/** The passkeys of a person, with what can be done with each. */
export function PasskeyList({ passkeys, rename, remove }: PasskeyListProps) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} aria-label="Passkeys" style={{ listStyle: "none" }}>
      {passkeys.map((passkey) => (
        <Group component="li" key={passkey.id} justify="space-between" wrap="nowrap">
          <Stack gap={0}>
            <Group gap="xs">
              <Text fz="sm" fw={550}>
                {passkey.name}
              </Text>
              {passkey.regressedAt !== null && (
                <Badge color="orange" variant="light" tt="none" size="sm">
                  may have been copied
                </Badge>
              )}
            </Group>
            <Text fz="xs" c="dimmed">
              {passkey.lastUsedAt === null ? "Not used yet" : <Time at={passkey.lastUsedAt} ago />}
              {passkey.isBackedUp ? " · kept by a password manager" : " · on one device"}
            </Text>
          </Stack>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Rename ${passkey.name}`}
              onClick={() => rename(passkey)}
            >
              <Icon name="edit" />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`Delete ${passkey.name}`}
              onClick={() => remove(passkey)}
            >
              <Icon name="trash" />
            </ActionIcon>
          </Group>
        </Group>
      ))}
    </Stack>
  );
}
