import { ActionIcon, Badge, Group, Stack, Text } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
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
    <Stack component="ul" gap="xs" m={0} p={0} aria-label={t`Passkeys`} style={{ listStyle: "none" }}>
      {passkeys.map((passkey) => (
        <Group component="li" key={passkey.id} justify="space-between" wrap="nowrap">
          <Stack gap={0}>
            <Group gap="xs">
              <Text fz="sm" fw={550}>
                {passkey.name}
              </Text>
              {passkey.regressedAt !== null && (
                <Badge color="orange" variant="light" tt="none" size="sm">
                  {t`may have been copied`}
                </Badge>
              )}
            </Group>
            <Text fz="xs" c="dimmed">
              {passkey.lastUsedAt === null ? t`Not used yet` : <Time at={passkey.lastUsedAt} ago />}
              {passkey.isBackedUp ? t` · kept by a password manager` : t` · on one device`}
            </Text>
          </Stack>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Rename ${passkey.name}`}
              onClick={() => rename(passkey)}
            >
              <Icon name="edit" />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t`Delete ${passkey.name}`}
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
