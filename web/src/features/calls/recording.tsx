import {
  ActionIcon,
  Button,
  Group,
  Loader,
  SegmentedControl,
  Switch,
  Text,
  useComputedColorScheme,
} from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { type RefObject, useEffect, useRef, useState } from "react";
import type WaveSurfer from "wavesurfer.js";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatDuration, formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Peaks, Sound } from "./use-sound.ts";

/** Commands that other components may give the recording. */
export interface Player {
  /** Plays from there. */
  seek: (ms: number) => void;
}

interface RecordingProps {
  call: CallRow;
  sound: Sound;
  onTime: (ms: number) => void;
  player: RefObject<Player | null>;
}

const SKIP_SECONDS = 5;

/** Plays the recording and draws both sides as waves, the agent above the customer. The audio is fetched on play. */
export function Recording({ call, sound, onTime, player }: RecordingProps) {
  const { url, peaks } = sound;
  const { box, surfer, isPlaying, isDrawn, atMs } = useWave({ url, peaks: peaks.data, onTime, player });
  const skip = (seconds: number) => surfer.current?.skip(seconds);
  useShortcutKeys([
    { keys: " ", label: t`Play or pause`, group: t`Recording`, run: () => void surfer.current?.playPause() },
    { keys: "ArrowLeft", label: t`5 s back`, group: t`Recording`, run: () => skip(-SKIP_SECONDS) },
    { keys: "ArrowRight", label: t`5 s on`, group: t`Recording`, run: () => skip(SKIP_SECONDS) },
  ]);
  if (peaks.error) return <ReadFault read={peaks} />;
  return (
    <Card
      title={t`Recording`}
      actions={
        <Button
          component="a"
          href={url}
          download={`call-${call.id}.wav`}
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="download" size={14} />}
        >
          {"WAV"}
        </Button>
      }
    >
      <div className="wave-box">
        <div
          ref={box}
          className="wave"
          role="img"
          aria-label={t`Waveform: the agent above, the customer below`}
          aria-busy={peaks.data === undefined}
        />
        {!isDrawn && <WaveInTheMaking isRendered={call.recordingFile === null} />}
      </div>
      <Group mt="xs" gap="sm">
        <ActionIcon
          size="lg"
          radius="xl"
          aria-label={isPlaying ? t`Pause` : t`Play`}
          disabled={peaks.data === undefined}
          onClick={() => void surfer.current?.playPause()}
        >
          <Icon name={isPlaying ? "pause" : "play"} />
        </ActionIcon>
        <Text fz="sm" ff="monospace" aria-label={t`Position`}>
          {formatDuration(atMs / 1000)} / {formatDuration((peaks.data?.durationMs ?? 0) / 1000)}
        </Text>
        <Legends setRate={(rate) => surfer.current?.setPlaybackRate(rate)} />
      </Group>
      <LineSwitch sound={sound} />
    </Card>
  );
}

/** Says why there is no wave yet. */
function WaveInTheMaking({ isRendered }: { isRendered: boolean }) {
  return (
    <div className="wave-wait" role="status">
      <Loader size="xs" />
      {isRendered ? t`The recording is being spoken from the transcript …` : t`The recording is being drawn …`}
    </div>
  );
}

/** Switches to the tones that the line of the sandbox carried; nothing where the recording is that of the line. */
function LineSwitch({ sound: { peaks, isSpoken, setSpoken } }: { sound: Sound }) {
  if (isSpoken && peaks.data?.turns == null) return null;
  return (
    <Switch
      mt="xs"
      size="xs"
      label={t`Tones, as on the line of the sandbox`}
      checked={!isSpoken}
      onChange={(event) => setSpoken(!event.currentTarget.checked)}
    />
  );
}

/** A recording that is not there yet. */
export function RecordingInTheMaking({ isOver }: { isOver: boolean }) {
  return (
    <Card title={t`Recording`}>
      <Group gap="sm" role="status">
        <Loader size="xs" type="dots" />
        <Text fz="sm" c="dimmed">
          {isOver
            ? t`The recording is being written, and is drawn here in a moment.`
            : t`This call is being recorded. The recording is drawn here when the call is over.`}
        </Text>
      </Group>
    </Card>
  );
}

/** Legend of the waves, and the playback speed. */
function Legends({ setRate }: { setRate: (rate: number) => void }) {
  return (
    <Group gap={12} ml="auto">
      <Legend className="legend-agent" name={t`Agent`} />
      <Legend className="legend-customer" name={t`Customer`} />
      <SegmentedControl
        size="xs"
        aria-label={t`Speed`}
        data={["1", "1.5", "2"].map((value) => ({ value, label: `${formatNumber(Number(value))}×` }))}
        onChange={(rate) => setRate(Number(rate))}
      />
    </Group>
  );
}

function Legend({ className, name }: { className: string; name: string }) {
  return (
    <Text component="span" fz="xs" c="dimmed" className={`legend ${className}`} visibleFrom="xs">
      {name}
    </Text>
  );
}

/** Draws the waves and keeps them in step with the playback. */
function useWave({
  url,
  peaks,
  onTime,
  player,
}: { url: string; peaks: Peaks | undefined } & Pick<RecordingProps, "onTime" | "player">) {
  const scheme = useComputedColorScheme("light");
  const box = useRef<HTMLDivElement>(null);
  const surfer = useRef<WaveSurfer | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [isDrawn, setDrawn] = useState(false);
  const [atMs, setAtMs] = useState(0);
  useEffect(() => {
    if (!peaks || !box.current) return;
    const container = box.current;
    let isGone = false;
    void import("./draw-wave.ts").then(({ drawWave }) => {
      if (isGone) return;
      const wave = drawWave(container, url, peaks);
      container.dataset.scheme = scheme;
      surfer.current = wave;
      setDrawn(true);
      wave.on("play", () => setPlaying(true));
      wave.on("pause", () => setPlaying(false));
      wave.on("timeupdate", (seconds) => {
        setAtMs(seconds * 1000);
        onTime(seconds * 1000);
      });
      player.current = {
        seek(ms) {
          wave.setTime(ms / 1000);
          void wave.play();
        },
      };
    });
    return () => {
      isGone = true;
      setDrawn(false);
      setPlaying(false);
      player.current = null;
      surfer.current?.destroy();
      surfer.current = null;
    };
    // The canvas holds colours, so a change of scheme redraws it.
  }, [url, peaks, onTime, player, scheme]);
  return { box, surfer, isPlaying, isDrawn, atMs };
}
