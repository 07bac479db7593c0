import { Button, Group, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "#web/i18n/t.ts";
import { Icon, type IconName } from "./icon.tsx";

/** Content of an empty screen: a description of its future content, and the action that adds some. */
export function EmptyState(props: {
  icon: IconName;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** Address of further documentation, such as "/docs/guides/chats". */
  docs?: string;
}) {
  return (
    <Stack className="empty-state" align="center" gap="sm" py={56} px="md" ta="center">
      <ThemeIcon size={52} radius="xl" variant="light">
        <Icon name={props.icon} size={24} />
      </ThemeIcon>
      <Title order={2} fz="lg">
        {props.title}
      </Title>
      <Text c="dimmed" maw={440} fz="sm">
        {props.children}
      </Text>
      <Group mt={6} justify="center">
        {props.action}
        {props.docs && (
          <Button component="a" href={props.docs} target="_blank" variant="default">
            {t`Documentation`}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
