import { ActionIcon, Badge, Button, Group, Text } from "@mantine/core";
import { showFault } from "#web/api/undo.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { formatMilliseconds } from "#web/ui/format/format.ts";
import { nameLanguage } from "#web/ui/format/language.ts";
import { Icon } from "#web/ui/icon.tsx";
import { keyOfSample, type useVoiceSample } from "./use-voice-sample.ts";
import type { Voice, VoiceProvider } from "./voice-library.ts";

const NAMED_LANGUAGES = 3;

interface VoiceRowProps {
  voice: Voice;
  provider: VoiceProvider;
  sample: ReturnType<typeof useVoiceSample>;
  language: string;
  price: string;
  chosen: string;
  choose: (id: string) => void;
}

/** A voice of the library. */
export function VoiceRow({ voice, provider, sample, language, price, chosen, choose }: VoiceRowProps) {
  const order = { provider: provider.provider, voiceId: voice.id || null, language };
  const key = keyOfSample(order);
  const heard = sample.samples.get(key);
  const isPlaying = sample.playing === key;
  const about = [describeLanguages(voice.languages), voice.description].filter(Boolean).join(" · ");
  return (
    <li className="voice-row" data-chosen={voice.id === chosen || undefined}>
      <ActionIcon
        variant="light"
        size={36}
        radius="xl"
        loading={sample.loading === key}
        aria-label={`${isPlaying ? t`Stop` : t`Play`} ${voice.name}`}
        onClick={() => (isPlaying ? sample.stop() : void sample.play(order).catch(showFault))}
      >
        <Icon name={isPlaying ? "pause" : "play"} />
      </ActionIcon>
      <div className="voice-about">
        <Group gap={6}>
          <Text fz="sm" fw={550}>
            <bdi>{voice.name}</bdi>
          </Text>
          {voice.id === chosen && (
            <Badge size="sm" variant="light" radius="sm" tt="none">
              {t`Chosen`}
            </Badge>
          )}
        </Group>
        {about !== "" && (
          <Text fz="xs" c="dimmed">
            {about}
          </Text>
        )}
        <Text fz="xs" c="dimmed" aria-live="polite">
          {price} · {describePace(heard?.firstSoundMs ?? null, provider)}
        </Text>
        {heard?.error && (
          <Text fz="xs" c="var(--mantine-color-red-text)">
            {heard.error.message}
          </Text>
        )}
      </div>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t`Choose ${voice.name}`}
        disabled={voice.id === chosen}
        onClick={() => choose(voice.id)}
      >
        {t`Choose`}
      </Button>
    </li>
  );
}

function describeLanguages(languages: readonly string[]): string {
  const names = [...new Set(languages.map((code) => nameLanguage(code)))];
  const more = names.length - NAMED_LANGUAGES;
  return names.slice(0, NAMED_LANGUAGES).join(", ") + (more > 0 ? t` and ${more} more` : "");
}

function describePace(justHeardMs: number | null, { firstSoundMs, sentences }: VoiceProvider): string {
  if (justHeardMs !== null) return t`first sound after ${formatMilliseconds(justHeardMs)}, just now`;
  if (firstSoundMs === null) return t`latency not measured yet`;
  const of = plural(sentences, "the last sentence", "the last {n} sentences");
  return t`first sound after ${formatMilliseconds(firstSoundMs)} in ${of}`;
}
