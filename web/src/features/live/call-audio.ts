import { t } from "#web/i18n/t.ts";

/** Bytes of one side of a frame: 20 ms of mu-law at 8 kHz. */
const SIDE_BYTES = 160;
const OPENS_WITHIN_MS = 10_000;
/** Worklet of the web phone's script: it plays frames as sound and turns a microphone into frames. */
const WORKLET = { url: "/web-phone.js", name: "parley-phone" };

/**
 * Mode of the listener. LISTEN: nobody hears them; BARGE: both sides do; TAKE_OVER: the same, and the agent is silent.
 */
export type SpeakMode = "LISTEN" | "BARGE" | "TAKE_OVER";

/** Audio of a call for a listener: the agent a little to the left, the person to the right. */
export class CallAudio {
  #socket: WebSocket | null = null;
  #context: AudioContext | null = null;
  #agent: AudioWorkletNode | null = null;
  #person: AudioWorkletNode | null = null;
  #microphone: MediaStream | null = null;
  #isSpeaking = false;
  /** Grows with each change of the mode: the last one counts, also when an earlier one waits for the microphone. */
  #changes = 0;
  #isClosed = false;

  /**
   * Opens the call's audio. `onEnd` gets the reason of the end, null when the call is over; `close` does not call it.
   */
  async open(ticket: { token: string; socketUrl: string }, onEnd: (why: string | null) => void): Promise<void> {
    if (this.#isClosed) return;
    await this.#openSound();
    if (this.#isClosed) return;
    const socket = new WebSocket(ticket.socketUrl);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    const ready = Promise.withResolvers<void>();
    const timer = setTimeout(() => ready.reject(new Error(t`The call's audio did not open in time.`)), OPENS_WITHIN_MS);
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "hello", token: ticket.token })));
    socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (data instanceof ArrayBuffer) this.#hear(new Uint8Array(data));
      else if ((JSON.parse(data) as { type: string }).type === "ready") ready.resolve();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      const why = code === 1000 ? null : reason || t`The connection to the call's audio was lost.`;
      ready.reject(new Error(why ?? t`The call is over.`));
      if (!this.#isClosed) onEnd(why);
    });
    try {
      await ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Changes the listener's mode and opens or closes the microphone; false when it was closed or changed meanwhile. */
  async change(mode: SpeakMode): Promise<boolean> {
    const change = ++this.#changes;
    const isOutdated = () => this.#isClosed || change !== this.#changes;
    const isSpeaking = mode !== "LISTEN";
    if (isSpeaking && this.#microphone === null) await this.#openMicrophone(isOutdated);
    if (isOutdated()) return false;
    this.#isSpeaking = isSpeaking;
    this.#socket?.send(JSON.stringify({ mode }));
    if (!isSpeaking) this.#dropMicrophone();
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close(1000);
    this.#dropMicrophone();
    void this.#context?.close();
    this.#context = null;
  }

  async #openSound(): Promise<void> {
    const context = new AudioContext({ latencyHint: "interactive" });
    this.#context = context;
    await context.audioWorklet.addModule(WORKLET.url);
    if (this.#isClosed) return;
    const side = (pan: number) => {
      const node = new AudioWorkletNode(context, WORKLET.name, { outputChannelCount: [1] });
      node.connect(new StereoPannerNode(context, { pan })).connect(context.destination);
      return node;
    };
    this.#agent = side(-0.4);
    this.#person = side(0.4);
    await context.resume();
  }

  #hear(frame: Uint8Array): void {
    if (frame.length !== 2 * SIDE_BYTES) return;
    this.#agent?.port.postMessage(frame.slice(0, SIDE_BYTES));
    this.#person?.port.postMessage(frame.slice(SIDE_BYTES));
  }

  async #openMicrophone(isOutdated: () => boolean): Promise<void> {
    const microphone = await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
    if (isOutdated()) return stopTracks(microphone);
    this.#microphone = microphone;
    const { port } = this.#agent as AudioWorkletNode;
    port.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
      if (this.#isSpeaking && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(data);
    };
    this.#context?.createMediaStreamSource(microphone).connect(this.#agent as AudioWorkletNode);
  }

  #dropMicrophone(): void {
    if (this.#microphone) stopTracks(this.#microphone);
    this.#microphone = null;
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
