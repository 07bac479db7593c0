import { Button, Center, Code, Group, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { explainError } from "#web/api/api-error.ts";
import { t } from "#web/i18n/t.ts";
import { isMissingPart } from "./outdated.ts";

/** Catches errors that a screen throws while it renders, so that the rest keeps working. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { fault: Error | null }> {
  override state: { fault: Error | null } = { fault: null };

  static getDerivedStateFromError(fault: Error): { fault: Error } {
    return { fault };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (!fault) return this.props.children;
    if (isMissingPart(fault)) return <MissingPart />;
    return (
      <Center p="xl" mih="60vh">
        <Stack maw={520} role="alert">
          <Title order={1} fz="xl">
            {t`This screen stopped`}
          </Title>
          <Text fz="sm">{t`Nothing you saved is lost. Try again; if it stops again, this is what it said:`}</Text>
          <Code block>{explainError(fault)}</Code>
          <Group>
            <Button onClick={() => this.setState({ fault: null })}>{t`Try again`}</Button>
            <Button variant="default" component="a" href="/">
              {t`Home`}
            </Button>
          </Group>
        </Stack>
      </Center>
    );
  }
}

/** A part that failed to load is not asked for again by the same page, so only loading the page anew helps. */
function MissingPart() {
  return (
    <Center p="xl" mih="60vh">
      <Stack maw={520} role="alert">
        <Title order={1} fz="xl">
          {t`This page is out of date`}
        </Title>
        <Text fz="sm">
          {t`A part of the dashboard is not at the server any more, probably because it was updated. Load the page again.`}
        </Text>
        <Group>
          <Button onClick={() => location.reload()}>{t`Load again`}</Button>
        </Group>
      </Stack>
    </Center>
  );
}
