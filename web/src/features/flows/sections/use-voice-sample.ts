import { useEffect, useRef, useState } from "react";
import { useWrite } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { toWavUrl } from "#web/ui/wav-url.ts";
import { type VoiceSample, VOICES_PATH } from "./voice-library.ts";

/** A voice to hear; `voiceId` null: the provider's default. */
interface SampleOrder {
  provider: string;
  voiceId: string | null;
  language: string | null;
}

/** Plays a sentence in a voice: one at a time, and none any more once the component has left. */
export function useVoiceSample() {
  const [playing, setPlaying] = useState<string | null>(null);
  const [samples, setSamples] = useState<ReadonlyMap<string, VoiceSample>>(new Map());
  const sound = useRef<HTMLAudioElement | null>(null);
  const write = useWrite<VoiceSample, SampleOrder>({
    failed: t`The voice could not be tried`,
    method: "POST",
    path: `${VOICES_PATH}/sample`,
  });
  useEffect(() => () => sound.current?.pause(), []);
  const stop = () => {
    sound.current?.pause();
    sound.current = null;
    setPlaying(null);
  };
  const play = async (order: SampleOrder) => {
    stop();
    const key = keyOfSample(order);
    const sample = samples.get(key) ?? (await write.mutateAsync(order));
    setSamples((before) => new Map(before).set(key, sample));
    if (sample.audio === null) return;
    const url = toWavUrl(sample.audio);
    const audio = new Audio(url);
    const end = () => {
      URL.revokeObjectURL(url);
      setPlaying((now) => (now === key ? null : now));
    };
    sound.current = audio;
    setPlaying(key);
    audio.addEventListener("ended", end, { once: true });
    await audio.play().catch(end);
  };
  const loading = write.isPending ? keyOfSample(write.variables) : null;
  return { play, stop, playing, loading, samples };
}

/** Names a sample. */
export function keyOfSample({ provider, voiceId, language }: SampleOrder): string {
  return `${provider} ${voiceId ?? ""} ${language ?? ""}`;
}
