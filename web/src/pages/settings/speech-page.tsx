import { Badge, Code, Group, List, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useConsoleRead } from "#web/api/console-queries.ts";
import { Card } from "#web/ui/card.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

interface Installation {
  publicUrl: string;
  recordingRetentionDays: number;
  sealsRecordings: boolean;
  recognisers: string[];
  synthesisers: string[];
  transcribers: string[];
  missing: string[];
}

/** What the operator configured for the server: who hears and speaks, and how long things are kept. */
export function SpeechPage() {
  const read = useConsoleRead<Installation>("/installation");
  return (
    <SettingsFrame
      title="Speech and retention"
      lead="Set for all workspaces in the environment of the server, where its operator changes it."
    >
      <Loaded read={read}>{(installation) => <Facts installation={installation} />}</Loaded>
    </SettingsFrame>
  );
}

function Facts({ installation }: { installation: Installation }) {
  const { recognisers, synthesisers, transcribers, missing, recordingRetentionDays, sealsRecordings } = installation;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Providers title="Hears in calls" names={recognisers} none="Nobody: only simulated calls can be understood." />
        <Providers title="Speaks in calls" names={synthesisers} none="Nobody: only simulated calls can be spoken." />
        <Providers title="Transcribes recordings" names={transcribers} none="Nobody: transcription jobs will fail." />
      </SimpleGrid>
      {missing.length > 0 && (
        <Card title="Listed, but not there">
          <List fz="sm" spacing={4}>
            {missing.map((line) => (
              <List.Item key={line} style={{ overflowWrap: "anywhere" }}>
                {line}
              </List.Item>
            ))}
          </List>
        </Card>
      )}
      <Card title="How long things are kept">
        <dl className="facts facts-wide">
          <Kept name="Recordings" setting="RECORDING_RETENTION_DAYS">
            {recordingRetentionDays === 0 ? "until they are deleted" : `${recordingRetentionDays} days`}
            {sealsRecordings ? ", encrypted at rest" : ", not encrypted"}
          </Kept>
          <Kept name="Audit log">400 days; nobody can change it before</Kept>
          <Kept name="Simulations">90 days</Kept>
          <Kept name="Events of chats">30 days; the messages stay</Kept>
          <Kept name="Raw news of carriers">3 days</Kept>
          <Kept name="Idempotency keys">24 hours</Kept>
          <Kept name="What was said">until the contact is erased</Kept>
        </dl>
      </Card>
      <Card title="Address of this server">
        <Group gap="sm">
          <Code>{installation.publicUrl}</Code>
          <Text fz="sm" c="dimmed">
            from <Code>PARLEY_URL</Code>; carriers and webhooks are given it.
          </Text>
        </Group>
      </Card>
    </Stack>
  );
}

function Providers({ title, names, none }: { title: string; names: string[]; none: string }) {
  return (
    <Card title={title}>
      {names.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <Group gap={6}>
          {names.map((name, index) => (
            <Badge key={name} variant="light" color={index === 0 ? "parley" : "gray"} tt="none" size="lg" radius="sm">
              {index + 1}. {name}
            </Badge>
          ))}
        </Group>
      )}
    </Card>
  );
}

function Kept({ name, setting, children }: { name: string; setting?: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {children}
        {setting !== undefined && (
          <>
            {" "}
            <Code>{setting}</Code>
          </>
        )}
      </dd>
    </>
  );
}
