import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { useAskedDelete } from "#web/ui/use-removal.ts";
import { SPEECH_PATH, SPEECH_PROVIDERS, type SpeechAccount, type SpeechAccounts } from "./speech.ts";
import { TrySpeech } from "./try-speech.tsx";

const SpeechDialog = lazy(async () => ({ default: (await import("./speech-dialog.tsx")).SpeechDialog }));

/** Card of the STT and TTS providers of this workspace's calls, and its accounts. */
export function SpeechAccountsCard() {
  const read = useRead<SpeechAccounts>(SPEECH_PATH);
  const [edited, setEdited] = useState<SpeechAccount | null>(null);
  return (
    <Card title={t`Speech providers`}>
      <Loaded read={read}>
        {({ accounts, sttProviders, ttsProviders }) => (
          <Stack>
            <Order label={t`Hear`} names={sttProviders} none={t`Nobody: only simulated calls can be understood.`} />
            <Order label={t`Speak`} names={ttsProviders} none={t`Nobody: only simulated calls can be spoken.`} />
            {accounts.map((account) => (
              <AccountRow key={account.provider} account={account} edit={() => setEdited(account)} />
            ))}
          </Stack>
        )}
      </Loaded>
      <Suspense fallback={null}>{edited && <SpeechDialog account={edited} close={() => setEdited(null)} />}</Suspense>
    </Card>
  );
}

function Order({ label, names, none }: { label: string; names: string[]; none: string }) {
  return (
    <Group gap={6}>
      <Text fz="sm" w={60}>
        {label}
      </Text>
      {names.length === 0 && (
        <Text fz="sm" c="dimmed">
          {none}
        </Text>
      )}
      {names.map((name, index) => (
        <Badge key={name} variant="light" color={index === 0 ? "parley" : "gray"} tt="none" radius="sm">
          {index + 1}. {name}
        </Badge>
      ))}
    </Group>
  );
}

const SOURCES: Record<SpeechAccount["source"], string> = {
  WORKSPACE: t`own account`,
  SERVER: t`the server's account`,
  NONE: t`not set up`,
};

function AccountRow({ account, edit }: { account: SpeechAccount; edit: () => void }) {
  const mayChange = useMay("WORKSPACE_ADMIN");
  const remove = useRemove();
  const { provider, source } = account;
  const { name, does } = SPEECH_PROVIDERS[provider];
  const isOwn = source === "WORKSPACE";
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Group gap={8}>
          <Text fz="sm" fw={550}>
            {name}
          </Text>
          <Badge size="sm" variant="light" tt="none" color={isOwn ? "green" : "gray"}>
            {SOURCES[source]}
          </Badge>
        </Group>
        <Text fz="sm" c="dimmed">
          {does}
        </Text>
      </div>
      {mayChange && (
        <Group gap={6}>
          {source !== "NONE" && (account.hears || account.speaks) && <TrySpeech account={account} />}
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${isOwn ? t`Change` : t`Set up`} ${name}`}
            onClick={edit}
          >
            {isOwn ? t`Change` : t`Set up`}
          </Button>
          {isOwn && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={t`Remove ${name}`}
              onClick={() => void remove(account)}
            >
              {t`Remove`}
            </Button>
          )}
        </Group>
      )}
    </Group>
  );
}

function useRemove(): (account: SpeechAccount) => Promise<boolean> {
  return useAskedDelete<SpeechAccount>({
    path: ({ provider }) => `${SPEECH_PATH}/${provider}`,
    refreshes: [SPEECH_PATH],
    question: ({ provider }) => ({
      title: t`Remove the account at ${SPEECH_PROVIDERS[provider].name}?`,
      body: t`Its key is forgotten. Calls that begin from now on use the server's account, where there is one.`,
      action: t`Remove account`,
    }),
    failed: () => t`The account was not removed`,
    done: () => t`The account is removed.`,
  });
}
