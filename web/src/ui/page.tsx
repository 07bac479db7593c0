import { Anchor, Box, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import { withoutBidi } from "./format/bidi.ts";
import { Phone } from "./phone.tsx";

/** The frame of every screen: title (also the tab's), actions at the right, content below. */
export function Page(props: {
  title: string;
  /** Before the title in the browser's tab, such as a count. */
  mark?: string;
  /** Beside the title, such as a state. */
  badge?: ReactNode;
  lead?: ReactNode;
  back?: { href: string; label: string };
  actions?: ReactNode;
  children: ReactNode;
  /** Narrow: text and forms. */
  narrow?: boolean;
}) {
  useEffect(() => {
    document.title = `${props.mark ?? ""}${withoutBidi(props.title)} · Parley`;
  }, [props.title, props.mark]);
  return (
    <Box maw={props.narrow ? 760 : 1360} mx="auto" px={{ base: "md", sm: "xl" }} py={{ base: "md", sm: "lg" }}>
      {props.back && (
        <Anchor component={Link} href={props.back.href} fz="sm" c="dimmed">
          ← {props.back.label}
        </Anchor>
      )}
      <Group justify="space-between" align="flex-start" gap="sm" mb="md" mt={props.back ? 6 : 0}>
        <Stack gap={2} miw={0}>
          <Group gap="sm">
            <Title order={1} fz={22} style={{ overflowWrap: "anywhere" }}>
              <Phone number={props.title} />
            </Title>
            {props.badge}
          </Group>
          {props.lead && (
            <Text component="div" c="dimmed" fz="sm">
              {props.lead}
            </Text>
          )}
        </Stack>
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children}
    </Box>
  );
}
