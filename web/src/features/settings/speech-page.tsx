import { Code, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useConsoleRead } from "#web/api/console-queries.ts";
import { t } from "#web/i18n/t.ts";
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
      title={t`Speech and retention`}
      lead={t`Speech providers for the calls of this workspace, and how long calls are kept.`}
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
      <Card title={t`Kept for a fixed time`}>
        <dl className="facts facts-wide">
          <Kept name={t`Recordings on the disk`}>{sealsRecordings ? t`encrypted at rest` : t`not encrypted`}</Kept>
          <Kept name={t`Audit log`}>{t`400 days; nobody can change it before`}</Kept>
          <Kept name={t`Simulations`}>{t`90 days`}</Kept>
          <Kept name={t`Events of chats`}>{t`30 days; the messages stay`}</Kept>
          <Kept name={t`Raw news of carriers`}>{t`3 days`}</Kept>
          <Kept name={t`Idempotency keys`}>{t`24 hours`}</Kept>
        </dl>
      </Card>
      <Card title={t`Set by the operator of the server`}>
        <dl className="facts facts-wide">
          <Kept name={t`Transcribes recordings`}>
            {batchSttProviders.length === 0 ? t`nobody: transcription jobs fail` : batchSttProviders.join(", ")}
          </Kept>
          {missing.map((line) => (
            <Kept key={line} name={t`Not there`}>
              {line}
            </Kept>
          ))}
          <Kept name={t`Address of this server`} setting="PARLEY_URL">
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
