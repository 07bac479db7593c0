import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { type SileroModel, SileroRounds } from "#src/audio/vad/silero-batch.ts";
import { SileroVad, type SpeechJudge } from "#src/audio/vad/silero-vad.ts";
import { type Hearing, type Judgement, judgePlayed, type Played, stepRecording } from "./judge.ts";
import type { MadeRecording } from "./render.ts";

/** Verdicts come after every second frame: at most some 40 ms late, as in a call. */
const ROUND_FRAMES = 2;

/** Judges the windows of several tracks on their own clock, so that the same tracks always give the same verdicts. */
class SteppedJudge implements SpeechJudge {
  readonly isOn = true;
  readonly #model: SileroModel;
  readonly #rounds = new SileroRounds();
  readonly #ready = new Set<SileroVad>();
  #frames = 0;

  constructor(model: SileroModel) {
    this.#model = model;
  }

  offer(call: SileroVad): void {
    this.#ready.add(call);
  }

  /** Judges the windows; to be called after each frame of all tracks. */
  async step(): Promise<void> {
    if (++this.#frames % ROUND_FRAMES !== 0) return;
    while (this.#ready.size > 0) await this.#rounds.run(this.#model, this.#ready);
  }
}

/** Returns Silero's verdict on each frame of each track; the tracks are heard at the same time, as calls are. */
export async function hearTogether(tracks: Int16Array[], model: SileroModel): Promise<boolean[][]> {
  const judge = new SteppedJudge(model);
  const calls = tracks.map((track) => ({ track, vad: new SileroVad(judge), frames: [] as boolean[] }));
  const longest = Math.max(...tracks.map((track) => track.length));
  for (let at = 0; at + FRAME_SAMPLES <= longest; at += FRAME_SAMPLES) {
    for (const { track, vad, frames } of calls) {
      if (at + FRAME_SAMPLES <= track.length) frames.push(vad.hear(track.subarray(at, at + FRAME_SAMPLES)));
    }
    await judge.step();
  }
  return calls.map(({ frames }) => frames);
}

/** Plays recordings at the same time through turn engines that use Silero, and judges their decisions. */
export async function judgeTogether(
  recordings: MadeRecording[],
  hearing: Hearing,
  model: SileroModel,
): Promise<Judgement[]> {
  const judge = new SteppedJudge(model);
  const steps = recordings.map((one) => stepRecording(one, hearing, new SileroVad(judge)));
  const played = new Map<number, Played>();
  while (played.size < recordings.length) {
    for (const [at, one] of steps.entries()) {
      const step = played.has(at) ? null : one.next();
      if (step?.done) played.set(at, step.value);
    }
    await judge.step();
  }
  return recordings.map((one, at) => judgePlayed(one, hearing, played.get(at) as Played));
}
