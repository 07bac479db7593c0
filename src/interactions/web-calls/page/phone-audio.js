"use strict";
// The worklet's half of the web phone. It converts between microphone and loudspeaker and 20 ms telephone frames
// (mu-law at 8 kHz). It is served in one file with the page's half, which loads that file into the worklet.
if (typeof registerProcessor === "function") {
  const TELEPHONE_HZ = 8000;
  const FRAME = 160;
  const ZERO_CROSSINGS = 12;
  const PHASES = 64;
  const SILENCE = 0xff;
  // Jitter buffer in milliseconds; it grows when frames come unevenly.
  const WAIT = { first: 100, least: 60, most: 300, more: 40, less: 20, excess: 400 };

  // A windowed sinc at one of 64 positions between two samples, for any pair of rates, with little aliasing.
  class Resampler {
    constructor(fromHz, toHz) {
      this.step = fromHz / toHz;
      const widen = Math.max(1, this.step);
      this.half = Math.ceil(ZERO_CROSSINGS * widen);
      this.at = 0;
      this.kept = new Float32Array(0);
      this.tables = Array.from({ length: PHASES }, (_, phase) => this.table(phase / PHASES, widen));
    }

    table(offset, widen) {
      const taps = Float32Array.from({ length: 2 * this.half }, (_, i) => {
        const x = i - this.half + 1 - offset;
        const angle = (0.92 * Math.PI * x) / widen;
        const window = Math.abs(x) >= this.half ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * x) / this.half);
        return (angle === 0 ? 1 : Math.sin(angle) / angle) * window;
      });
      const sum = taps.reduce((a, b) => a + b, 0);
      return taps.map((tap) => tap / sum);
    }

    run(samples) {
      const input = new Float32Array(this.kept.length + samples.length);
      input.set(this.kept);
      input.set(samples, this.kept.length);
      const output = [];
      const { half, step, tables } = this;
      for (; Math.floor(this.at) + 2 * half <= input.length; this.at += step) {
        const start = Math.floor(this.at);
        const taps = tables[Math.floor((this.at - start) * PHASES)];
        let sum = 0;
        for (let i = 0; i < taps.length; i++) sum += taps[i] * input[start + i];
        output.push(sum);
      }
      const used = Math.floor(this.at);
      this.at -= used;
      this.kept = input.slice(used);
      return output;
    }
  }

  function encode(sample) {
    const value = Math.round(Math.max(-1, Math.min(1, sample)) * 32767);
    const sign = value < 0 ? 0x80 : 0;
    const level = Math.min(32635, Math.abs(value)) + 132;
    const exponent = 31 - Math.clz32(level >> 7);
    return ~(sign | (exponent << 4) | ((level >> (exponent + 3)) & 0x0f)) & 0xff;
  }

  const DECODED = Float32Array.from({ length: 256 }, (_, byte) => {
    const bits = ~byte & 0xff;
    const level = (((bits & 0x0f) << 3) + 132) << ((bits >> 4) & 7);
    return (bits & 0x80 ? 132 - level : level - 132) / 32768;
  });

  class Phone extends AudioWorkletProcessor {
    constructor() {
      super();
      this.down = new Resampler(sampleRate, TELEPHONE_HZ);
      this.up = new Resampler(TELEPHONE_HZ, sampleRate);
      this.frame = new Uint8Array(FRAME);
      this.filled = 0;
      this.queue = [];
      this.queued = 0;
      this.wait = WAIT.first;
      this.isPlaying = false;
      this.calm = 0;
      this.isMuted = false;
      this.isEnding = false;
      this.port.onmessage = ({ data }) => {
        if (data instanceof Uint8Array) this.take(data);
        else if ("muted" in data) this.isMuted = data.muted;
        else if ("ended" in data) this.isEnding = true;
      };
    }

    ms(milliseconds) {
      return (milliseconds / 1000) * sampleRate;
    }

    take(frame) {
      const block = Float32Array.from(this.up.run(Float32Array.from(frame, (byte) => DECODED[byte])));
      this.queue.push(block);
      this.queued += block.length;
      // Excess audio is dropped, because it would be heard too late.
      while (this.queued > this.ms(this.wait + WAIT.excess)) this.queued -= this.queue.shift().length;
    }

    process([microphone], [loudspeaker]) {
      if (microphone[0]) for (const sample of this.down.run(microphone[0])) this.put(sample);
      this.play(loudspeaker[0]);
      for (const channel of loudspeaker.slice(1)) channel.set(loudspeaker[0]);
      if (this.isEnding && this.queue.length === 0) this.leave();
      return true;
    }

    // All has been played: the page closes the loudspeaker.
    leave() {
      this.isEnding = false;
      this.port.postMessage({ played: true });
    }

    put(sample) {
      this.frame[this.filled++] = this.isMuted ? SILENCE : encode(sample);
      if (this.filled < FRAME) return;
      this.port.postMessage(this.frame, [this.frame.buffer]);
      this.frame = new Uint8Array(FRAME);
      this.filled = 0;
    }

    play(output) {
      if (!this.isPlaying && !this.isEnding && this.queued < this.ms(this.wait)) return;
      this.isPlaying = true;
      let filled = 0;
      while (filled < output.length && this.queue.length > 0) {
        const block = this.queue[0];
        const part = block.subarray(0, output.length - filled);
        output.set(part, filled);
        filled += part.length;
        this.queued -= part.length;
        if (part.length === block.length) this.queue.shift();
        else this.queue[0] = block.subarray(part.length);
      }
      if (filled < output.length) this.runDry();
      else if ((this.calm += output.length) > this.ms(10_000)) {
        this.wait = Math.max(WAIT.least, this.wait - WAIT.less);
        this.calm = 0;
      }
    }

    runDry() {
      this.isPlaying = false;
      this.calm = 0;
      this.wait = Math.min(WAIT.most, this.wait + WAIT.more);
    }
  }
  registerProcessor("parley-phone", Phone);
}
