import { Alert, Button, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { formatMilliseconds } from "#web/ui/format/format.ts";
import { useWavUrl } from "#web/ui/wav-url.ts";
import { SPEECH_PATH, SPEECH_PROVIDERS, type SpeechAccount, type SpeechTrial } from "./speech.ts";

/** Tests a provider: it speaks a sentence and transcribes it; shows the result. */
export function TrySpeech({ account }: { account: SpeechAccount }) {
  const [result, setResult] = useState<SpeechTrial | null>(null);
  const { name } = SPEECH_PROVIDERS[account.provider];
  const path = `${SPEECH_PATH}/${account.provider}/check`;
  const write = useWrite<SpeechTrial>({ failed: t`The account was not tried`, method: "POST", path, body: () => ({}) });
  const run = () => void write.mutateAsync().then(setResult).catch(showFault);
  return (
    <>
      <Button size="compact-sm" variant="default" loading={write.isPending} aria-label={t`Test ${name}`} onClick={run}>
        {t`Test`}
      </Button>
      <Modal opened={result !== null} onClose={() => setResult(null)} title={<Text fw={600}>{name}</Text>}>
        {result && (
          <Stack>
            <Text fz="sm" c="dimmed">
              {t`The sentence: “${result.sentence}”`}
            </Text>
            {result.speaks && <Spoken speaks={result.speaks} />}
            {result.hears && <Heard hears={result.hears} />}
          </Stack>
        )}
      </Modal>
    </>
  );
}

function Spoken({ speaks: { ok, firstPieceMs, audio, error } }: { speaks: NonNullable<SpeechTrial["speaks"]> }) {
  const url = useWavUrl(audio);
  const first = firstPieceMs === null ? t`It speaks` : t`It speaks after ${formatMilliseconds(firstPieceMs)}`;
  return (
    <Alert color={ok ? "green" : "red"} variant="light" title={ok ? first : t`It did not speak`}>
      {error && <Reason error={error} />}
      {url !== null && (
        // A test sound; its text is shown above it.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio controls src={url} aria-label={t`What it said`} style={{ width: "100%" }} />
      )}
    </Alert>
  );
}

function Heard({ hears: { ok, latencyMs, text, error } }: { hears: NonNullable<SpeechTrial["hears"]> }) {
  const title = ok ? t`It heard, ${formatMilliseconds(latencyMs)} after the sentence` : t`It did not hear`;
  return (
    <Alert color={ok ? "green" : "red"} variant="light" title={title}>
      {error && <Reason error={error} />}
      {text !== null && <Text fz="sm">“{text}”</Text>}
    </Alert>
  );
}

function Reason({ error }: { error: { message: string } }) {
  return (
    <Text fz="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
      {error.message}
    </Text>
  );
}
