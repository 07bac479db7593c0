import { Code, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useConsoleRead } from "#web/api/console-queries.ts";
import { Card } from "#web/ui/card.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { RetentionForm } from "./retention-form.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { SpeechAccountsCard } from "./speech-accounts.tsx";

interface Installation {
  publicUrl: string;
  recordingRetentionDays: number;
  sealsRecordings: boolean;
  batchSttProviders: string[];
  missing: string[];
}

/** Page of the speech providers and the retention times. */
export function SpeechPage() {
  const read = useConsoleRead<Installation>("/installation");
  return (
    <SettingsFrame
      title="Speech and retention"
      lead="Speech providers for the calls of this workspace, and how long calls are kept."
    >
      <Stack>
        <SpeechAccountsCard />
        <Loaded read={read}>{(installation) => <OfServer installation={installation} />}</Loaded>
      </Stack>
    </SettingsFrame>
  );
}

function OfServer({ installation }: { installation: Installation }) {
  const { batchSttProviders, missing, recordingRetentionDays, sealsRecordings } = installation;
  return (
    <Stack>
      <RetentionForm serverDays={recordingRetentionDays} />
      <Card title="Kept for a fixed time">
        <dl className="facts facts-wide">
          <Kept name="Recordings on the disk">{sealsRecordings ? "encrypted at rest" : "not encrypted"}</Kept>
          <Kept name="Audit log">400 days; nobody can change it before</Kept>
          <Kept name="Simulations">90 days</Kept>
          <Kept name="Events of chats">30 days; the messages stay</Kept>
          <Kept name="Raw news of carriers">3 days</Kept>
          <Kept name="Idempotency keys">24 hours</Kept>
        </dl>
      </Card>
      <Card title="Set by the operator of the server">
        <dl className="facts facts-wide">
          <Kept name="Transcribes recordings">
            {batchSttProviders.length === 0 ? "nobody: transcription jobs fail" : batchSttProviders.join(", ")}
          </Kept>
          {missing.map((line) => (
            <Kept key={line} name="Not there">
              {line}
            </Kept>
          ))}
          <Kept name="Address of this server" setting="PARLEY_URL">
            {installation.publicUrl}
          </Kept>
        </dl>
      </Card>
    </Stack>
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
