import type { CallRow, TranscriptTurn } from "@parley/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { inWorkspace, withQuery } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import type { SoundTimes } from "#web/domain/call/transcript.tsx";
import { timeWords } from "#web/domain/call/word-times.ts";

/** Loudness of both sides of a recording. */
export interface Peaks {
  intervalMs: number;
  durationMs: number;
  channels: { name: "AGENT" | "CUSTOMER"; peaks: number[] }[];
  /** Places of the turns in a recording that was spoken instead of tones; null: at the times of the transcript. */
  turns: { index: number; startMs: number; endMs: number }[] | null;
}

/** The recording of a call as it is played. */
export interface Sound {
  url: string;
  peaks: UseQueryResult<Peaks>;
  /** Moments of the transcript in the recording. */
  times: SoundTimes;
  /** False: the tones of the sandbox's line are played as they are. */
  isSpoken: boolean;
  setSpoken: (isSpoken: boolean) => void;
}

/** Reads the recording of a call: in the sandbox spoken where the line carried tones. */
export function useSound(call: CallRow): Sound {
  const { id } = useWorkspace();
  const [isSpoken, setSpoken] = useState(true);
  const path = `/call-rows/${call.id}/recording`;
  const query = isSpoken ? { spoken: true } : {};
  const peaks = useRead<Peaks>(`${path}/peaks`, query, { enabled: call.recording !== null });
  const times = useMemo(() => toTimes(call, peaks.data), [call, peaks.data]);
  return { url: withQuery(inWorkspace(id, path), query), peaks, times, isSpoken, setSpoken };
}

/** Returns the moments of the transcript in a recording. */
function toTimes({ transcript, recordingFile }: CallRow, peaks: Peaks | undefined): SoundTimes {
  const moved = new Map(peaks?.turns?.map((turn) => [turn.index, turn]));
  const placeOf = (turn: TranscriptTurn) => moved.get(turn.index) ?? turn;
  const endOf = (turn: TranscriptTurn) => {
    // What was rendered from the transcript is spoken at a pace of its own, until the speaker's next line.
    if (peaks === undefined || peaks.turns !== null || recordingFile !== null) return placeOf(turn).endMs;
    const next = transcript.find(({ index, role }) => index > turn.index && role === turn.role);
    return next && next.startMs > turn.startMs ? next.startMs : peaks.durationMs;
  };
  return {
    startOf: (turn) => placeOf(turn).startMs,
    wordsOf(turn) {
      const channel = peaks?.channels.find(({ name }) => name === (turn.role === "USER" ? "CUSTOMER" : "AGENT"));
      const loudness = peaks && channel ? { intervalMs: peaks.intervalMs, peaks: channel.peaks } : null;
      return timeWords(turn.content, placeOf(turn).startMs, endOf(turn), loudness);
    },
  };
}
