import { initializeLogger, llm, stt, tts, VAD, VADEventType, VADStream, voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { EnergyVad } from "../../../src/audio/vad/energy-vad.ts";
import { openFrontEnd } from "../../media/front-end.ts";
import { makeReply } from "../../media/sounds.ts";

/*
 * AgentSession of @livekit/agents, one per call, behind the bench's own RTP front end. See README.md.
 *
 *     node server.js CALLS
 */
const RATE_HZ = 8_000;
const FRAME_MS = 20;
const SPEECH_AFTER_MS = 60;
const SILENCE_AFTER_MS = 250;
const WORDS_AFTER_MS = 200;
const REPLY_FRAME_SAMPLES = 800;
const reply = makeReply();
const replyFrames = Array.from({ length: Math.ceil(reply.length / REPLY_FRAME_SAMPLES) }, (_, i) =>
  reply.slice(i * REPLY_FRAME_SAMPLES, (i + 1) * REPLY_FRAME_SAMPLES),
);

/** Tells where speech begins and ends; both the VAD and the recogniser need it. */
class SpeechFollower {
  #vad = new EnergyVad();
  speechMs = 0;
  silenceMs = 0;

  hear(samples) {
    const isSpeech = this.#vad.hear(samples);
    if (isSpeech) {
      this.speechMs += FRAME_MS;
      this.silenceMs = 0;
    } else {
      this.silenceMs += FRAME_MS;
    }
    return isSpeech;
  }
}

class BenchVadStream extends VADStream {
  #follower = new SpeechFollower();
  #isSpeaking = false;

  constructor(vad) {
    super(vad);
    void this.#run();
  }

  async #run() {
    for (;;) {
      const { done, value: frame } = await this.inputReader.read();
      if (done) return;
      if (typeof frame === "symbol") continue;
      const follower = this.#follower;
      const isSpeech = follower.hear(frame.data);
      if (!isSpeech && follower.silenceMs > 100 && !this.#isSpeaking) follower.speechMs = 0;
      if (!this.#isSpeaking && follower.speechMs >= SPEECH_AFTER_MS) this.#turn(true, frame);
      else if (this.#isSpeaking && follower.silenceMs >= SILENCE_AFTER_MS) this.#turn(false, frame);
      this.#tell(VADEventType.INFERENCE_DONE, isSpeech ? 1 : 0, frame);
    }
  }

  #turn(isSpeaking, frame) {
    this.#isSpeaking = isSpeaking;
    this.#tell(isSpeaking ? VADEventType.START_OF_SPEECH : VADEventType.END_OF_SPEECH, isSpeaking ? 1 : 0, frame);
    if (!isSpeaking) this.#follower.speechMs = 0;
  }

  #tell(type, probability, frame) {
    const { speechMs, silenceMs } = this.#follower;
    this.sendVADEvent({
      type,
      samplesIndex: 0,
      timestamp: Date.now(),
      speechDuration: speechMs,
      silenceDuration: silenceMs,
      frames: [frame],
      probability,
      inferenceDuration: 0,
      speaking: this.#isSpeaking,
      rawAccumulatedSilence: silenceMs,
      rawAccumulatedSpeech: speechMs,
    });
  }
}

class BenchVad extends VAD {
  label = "bench";

  constructor() {
    super({ updateInterval: FRAME_MS });
  }

  get minSilenceDuration() {
    return SILENCE_AFTER_MS;
  }

  stream() {
    return new BenchVadStream(this);
  }
}

class BenchRecogniserStream extends stt.SpeechStream {
  label = "bench";

  async run() {
    const follower = new SpeechFollower();
    for await (const frame of this.input) {
      if (typeof frame === "symbol") continue;
      follower.hear(frame.data);
      if (follower.speechMs <= 100 || follower.silenceMs < WORDS_AFTER_MS) continue;
      follower.speechMs = 0;
      const words = { text: "book an appointment for friday", language: "en", startTime: 0, endTime: 0, confidence: 1 };
      this.queue.put({ type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [words] });
    }
  }
}

class BenchRecogniser extends stt.STT {
  label = "bench";

  constructor() {
    super({ streaming: true, interimResults: false });
  }

  stream(options) {
    return new BenchRecogniserStream(this, undefined, options?.connOptions);
  }
}

class BenchModelStream extends llm.LLMStream {
  async run() {
    for (const word of ["Certainly. ", "There ", "is ", "time ", "at ", "ten."]) {
      this.queue.put({ id: "bench", delta: { role: "assistant", content: word } });
    }
  }
}

class BenchModel extends llm.LLM {
  label() {
    return "bench";
  }

  chat({ chatCtx, toolCtx, connOptions }) {
    const once = { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 10_000 };
    return new BenchModelStream(this, { chatCtx, toolCtx, connOptions: connOptions ?? once });
  }
}

class BenchVoiceStream extends tts.SynthesizeStream {
  label = "bench";

  async run() {
    // It speaks once it has the whole text.
    for await (const _ of this.input);
    for (const [i, samples] of replyFrames.entries()) {
      const frame = new AudioFrame(samples, RATE_HZ, 1, samples.length);
      this.queue.put({ requestId: "bench", segmentId: "bench", frame, final: i === replyFrames.length - 1 });
    }
    this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }
}

class BenchVoice extends tts.TTS {
  label = "bench";

  constructor() {
    super(RATE_HZ, 1, { streaming: true });
  }

  stream(options) {
    return new BenchVoiceStream(this, options?.connOptions);
  }
}

class CallInput extends voice.AudioInput {
  #controller;

  constructor() {
    super();
    this.multiStream.addInputStream(new ReadableStream({ start: (controller) => (this.#controller = controller) }));
  }

  push(samples) {
    this.#controller.enqueue(new AudioFrame(samples.slice(), RATE_HZ, 1, samples.length));
  }
}

class CallOutput extends voice.AudioOutput {
  #queue = [];
  #offset = 0;
  #played = 0;
  #isPlaying = false;
  #isFlushed = false;
  #isPaused = false;

  constructor() {
    super(RATE_HZ, undefined, { pause: true });
  }

  async captureFrame(frame) {
    await super.captureFrame(frame);
    if (!this.#isPlaying) {
      this.#isPlaying = true;
      this.#isFlushed = false;
      this.#played = 0;
      this.onPlaybackStarted(Date.now());
    }
    this.#queue.push(frame.data);
  }

  flush() {
    super.flush();
    this.#isFlushed = true;
  }

  clearBuffer() {
    if (!this.#isPlaying) return;
    this.#queue.length = 0;
    this.#offset = 0;
    this.#finish(true);
  }

  pause() {
    this.#isPaused = true;
  }

  resume() {
    this.#isPaused = false;
  }

  pull(samples) {
    const [piece] = this.#queue;
    if (this.#isPaused || !piece) return false;
    const part = piece.subarray(this.#offset, this.#offset + samples.length);
    samples.fill(0).set(part);
    this.#offset += part.length;
    this.#played += part.length;
    if (this.#offset >= piece.length) {
      this.#queue.shift();
      this.#offset = 0;
    }
    if (this.#queue.length === 0 && this.#isFlushed) this.#finish(false);
    return true;
  }

  #finish(interrupted) {
    this.#isPlaying = false;
    this.onPlaybackFinished({ playbackPosition: this.#played / RATE_HZ, interrupted });
  }
}

async function openCall() {
  const input = new CallInput();
  const output = new CallOutput();
  const session = new voice.AgentSession({
    vad: new BenchVad(),
    stt: new BenchRecogniser(),
    llm: new BenchModel(),
    tts: new BenchVoice(),
    turnHandling: {
      turnDetection: "vad",
      endpointing: { minDelay: 500, maxDelay: 3_000 },
      interruption: { mode: "vad" },
      preemptiveGeneration: { enabled: true },
    },
    userAwayTimeout: null,
    aecWarmupDuration: null,
    ttsTextTransforms: null,
  });
  session.input.audio = input;
  session.output.audio = output;
  session.once("error", ({ error }) => process.stderr.write(`${error?.error?.message ?? error}\n`));
  await session.start({ agent: new voice.Agent({ instructions: "You book appointments." }), record: false });
  return { hear: (samples) => input.push(samples), say: (samples) => output.pull(samples) };
}

initializeLogger({ pretty: false, level: "error" });
const calls = [];
for (let i = 0; i < Number(process.argv[2]); i++) calls.push(await openCall());
process.stdout.write(`${JSON.stringify(await openFrontEnd(calls))}\n`);
