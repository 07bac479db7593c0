import { Center, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Icon } from "#web/ui/icon.tsx";
import { LanguageControl } from "#web/ui/language-control.tsx";

/** The frame of every page before the sign-in. */
export function AuthFrame({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <Center component="main" className="canvas" p="md">
      <Stack w="100%" maw={420} gap="lg">
        <Stack align="center" gap={6} ta="center">
          <span className="mark mark-large" aria-hidden="true">
            <Icon name="audio" size={26} strokeWidth={2.2} />
          </span>
          <Title order={1} fz={24} mt={6}>
            {title}
          </Title>
          <Text c="dimmed" fz="sm">
            {lead}
          </Text>
        </Stack>
        <Paper withBorder p="lg" radius="lg" shadow="sm">
          {children}
        </Paper>
        <LanguageControl />
      </Stack>
    </Center>
  );
}
