// The web phone: <parley-phone call-url="/ring" phone-url="/wait"></parley-phone>. The same file is the page's script and,
// loaded by it a second time, the worklet that turns microphone and loudspeaker into frames of a telephone.
(() => {
  "use strict";
  const TELEPHONE_HZ = 8000;
  const FRAME = 160;

  if (typeof registerProcessor === "function") defineWorklet();
  else if (!customElements.get("parley-phone")) defineElement(document.currentScript.src);

  function defineWorklet() {
    const ZERO_CROSSINGS = 12;
    const PHASES = 64;
    const SILENCE = 0xff;
    // Milliseconds of what was heard that wait before they are played: more when they come unevenly.
    const WAIT = { first: 100, least: 60, most: 300, more: 40, less: 20, excess: 400 };

    // A windowed sinc at one of 64 places between two samples: for any pair of rates, with little of what folds over.
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
      const exponent = 24 - Math.clz32(level >> 7);
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
        this.port.onmessage = ({ data }) => {
          if (data instanceof Uint8Array) this.take(data);
          else if ("muted" in data) this.isMuted = data.muted;
        };
      }

      ms(milliseconds) {
        return (milliseconds / 1000) * sampleRate;
      }

      take(frame) {
        const block = Float32Array.from(this.up.run(Float32Array.from(frame, (byte) => DECODED[byte])));
        this.queue.push(block);
        this.queued += block.length;
        // What waits too long would be heard too late.
        while (this.queued > this.ms(this.wait + WAIT.excess)) this.queued -= this.queue.shift().length;
      }

      process([microphone], [loudspeaker]) {
        if (microphone[0]) for (const sample of this.down.run(microphone[0])) this.put(sample);
        this.play(loudspeaker[0]);
        for (const channel of loudspeaker.slice(1)) channel.set(loudspeaker[0]);
        return true;
      }

      put(sample) {
        this.frame[this.filled++] = this.isMuted ? SILENCE : encode(sample);
        if (this.filled < FRAME) return;
        this.port.postMessage(this.frame, [this.frame.buffer]);
        this.frame = new Uint8Array(FRAME);
        this.filled = 0;
      }

      play(output) {
        if (!this.isPlaying && this.queued < this.ms(this.wait)) return;
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

  function defineElement(scriptUrl) {
    const CSS = `
      :host { display: block; max-width: 26rem; font: 16px/1.5 system-ui, sans-serif; color: #1b1c1f; }
      * { box-sizing: border-box; } [hidden] { display: none !important; }
      section { border: 1px solid #c9ccd3; border-radius: 12px; padding: 1rem; background: #fff; }
      .state { margin: 0; font-size: 1.15rem; font-weight: 600; } .note { margin: .25rem 0 0; color: #4a4d55; font-size: .9rem; }
      .row { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .9rem; }
      button, input[type=text] { font: inherit; min-height: 44px; border-radius: 8px; border: 1px solid #8b8f99; padding: .4rem .9rem; }
      button { background: #f3f4f6; color: inherit; cursor: pointer; }
      button.go { background: #14532d; border-color: #14532d; color: #fff; }
      button.stop { background: #991b1b; border-color: #991b1b; color: #fff; }
      button[aria-pressed=true] { background: #1b1c1f; color: #fff; }
      :focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
      ol { list-style: none; margin: .9rem 0 0; padding: 0; max-height: 16rem; overflow: auto; }
      li { margin: .35rem 0; padding: .45rem .7rem; border-radius: 8px; background: #f3f4f6; white-space: pre-wrap; overflow-wrap: anywhere; }
      li.you { background: #dbeafe; margin-left: 2rem; } li b { display: block; font-size: .78rem; color: #4a4d55; }
      form { display: flex; gap: .5rem; align-items: end; margin-top: .9rem; } form label { flex: 1; font-size: .85rem; }
      input[type=text] { display: block; width: 100%; background: #fff; color: inherit; }
      .keys { display: grid; grid-template-columns: repeat(3, 1fr); gap: .5rem; margin-top: .9rem; }
      .type { display: flex; gap: .5rem; align-items: center; margin-top: .9rem; min-height: 24px; }`;
    const REASONS = {
      AGENT: "The other side has ended the call.",
      PERSON: "You have ended the call.",
      DECLINED: "You have declined the call.",
      MISSED: "The call was not taken in time.",
      GONE: "The call is not there any more.",
      BUSY: "You are on another call.",
      FULL: "The server takes no more calls now.",
    };
    const CODES = {
      1001: "The server stops.",
      4401: "The token opens nothing, or nothing any more.",
      4403: "This page may not use the token.",
      4429: "The server closed the connection: too many messages.",
    };
    const SHOWN = {
      call: ["IDLE", "ENDED"],
      wait: ["IDLE", "ENDED"],
      type: ["IDLE", "ENDED", "WAITING"],
      leave: ["WAITING"],
      accept: ["RINGING"],
      decline: ["RINGING"],
      hangUp: ["CONNECTING", "STARTING", "TALKING"],
      keypad: ["TALKING"],
    };

    const make = (tag, fields = {}, ...children) => {
      const { aria = {}, ...rest } = fields;
      const element = Object.assign(document.createElement(tag), rest);
      for (const [name, value] of Object.entries(aria)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    };

    class ParleyPhone extends HTMLElement {
      #state = "IDLE";
      #socket = null;
      #ready = null;
      #mode = "TEXT";
      #audio = null;
      #other = "Agent";
      #lines = new Map();
      #parts = null;

      connectedCallback() {
        if (this.#parts) return;
        this.#build();
        this.#show("IDLE", "Ready to call.");
      }

      disconnectedCallback() {
        this.#socket?.close(1000);
        this.#silence();
      }

      /** IDLE, CONNECTING, WAITING, RINGING, STARTING, TALKING or ENDED. */
      get state() {
        return this.#state;
      }

      /** Begins a call with what requestCall gives, or what call-url answers to a POST. */
      call() {
        return this.#connect(this.requestCall ?? (() => post(this.getAttribute("call-url"))));
      }

      /** Waits to be rung with what requestPhone gives, or what phone-url answers to a POST. */
      wait() {
        return this.#connect(this.requestPhone ?? (() => post(this.getAttribute("phone-url"))));
      }

      #build() {
        const button = (name, text, act, className = "") => {
          const element = make("button", { type: "button", textContent: text, className });
          element.addEventListener("click", act);
          return [name, element];
        };
        const parts = Object.fromEntries([
          button("call", "Call", () => this.call(), "go"),
          button("wait", "Wait for calls", () => this.wait()),
          button("accept", "Accept", () => this.#accept(), "go"),
          button("decline", "Decline", () => this.#send({ type: "decline" }), "stop"),
          button("hangUp", "Hang up", () => this.#hangUp(), "stop"),
          button("leave", "Stop waiting", () => this.#hangUp()),
          button("mute", "Mute", () => this.#mute()),
          button("keypad", "Keypad", () => this.#toggleKeys()),
        ]);
        parts.state = make("p", { className: "state", aria: { role: "status" } });
        parts.note = make("p", { className: "note" });
        parts.log = make("ol", {
          aria: { role: "log", "aria-live": "polite", "aria-label": "Transcript", tabindex: "0" },
        });
        parts.choice = make("input", { type: "checkbox" });
        parts.type = make("label", { className: "type" }, parts.choice, "Type instead of speaking");
        parts.text = make("input", { type: "text", maxLength: 2000, autocomplete: "off" });
        parts.form = make(
          "form",
          {},
          make("label", {}, "Message", parts.text),
          make("button", { type: "submit", textContent: "Send", className: "go" }),
        );
        parts.form.addEventListener("submit", (event) => this.#type(event));
        const keys = [..."123456789*0#"].map((key) => {
          const aria = { "aria-label": { "*": "Star", "#": "Hash" }[key] ?? key };
          const element = make("button", { type: "button", textContent: key, aria });
          element.addEventListener("click", () => this.#press(key));
          return element;
        });
        parts.keys = make(
          "div",
          { className: "keys", hidden: true, aria: { role: "group", "aria-label": "Keypad" } },
          ...keys,
        );
        parts.mute.setAttribute("aria-pressed", "false");
        parts.keypad.setAttribute("aria-expanded", "false");
        const { call, wait, accept, decline, hangUp, leave, mute, keypad } = parts;
        const row = make("div", { className: "row" }, call, wait, accept, decline, hangUp, leave, mute, keypad);
        const { state, note, type, log, form } = parts;
        const section = make(
          "section",
          { aria: { "aria-label": "Phone" } },
          state,
          note,
          type,
          row,
          parts.keys,
          log,
          form,
        );
        const root = this.attachShadow({ mode: "open" });
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(CSS);
        root.adoptedStyleSheets = [sheet];
        root.append(section);
        this.#parts = parts;
      }

      #show(state, text) {
        const hadFocus = this.shadowRoot.activeElement;
        this.#state = state;
        const parts = this.#parts;
        parts.state.textContent = text;
        for (const [name, states] of Object.entries(SHOWN)) parts[name].hidden = !states.includes(state);
        if (!this.requestCall && !this.hasAttribute("call-url")) parts.call.hidden = true;
        if (!this.requestPhone && !this.hasAttribute("phone-url")) parts.wait.hidden = true;
        const isTalking = state === "TALKING";
        parts.form.hidden = !isTalking || this.#mode !== "TEXT";
        parts.mute.hidden = !isTalking || this.#mode !== "AUDIO";
        if (!isTalking) this.#toggleKeys(false);
        this.setAttribute("data-state", state);
        this.dispatchEvent(new CustomEvent("statechange", { detail: { state } }));
        this.#moveFocus(hadFocus);
      }

      // Whoever works by keyboard stands on what they need next, not on a button that is gone.
      #moveFocus(hadFocus) {
        if (this.#state !== "RINGING" && (!hadFocus || !hadFocus.closest("[hidden]"))) return;
        const { accept, text, hangUp, call, wait, leave } = this.#parts;
        [accept, text, hangUp, leave, call, wait].find((one) => !one.closest("[hidden]"))?.focus();
      }

      async #connect(request) {
        if (this.#socket || this.#state === "CONNECTING") return;
        this.#parts.log.replaceChildren();
        this.#lines.clear();
        this.#note("");
        this.#show("CONNECTING", "Connecting …");
        try {
          const { token, socketUrl } = await request();
          if (this.#state !== "CONNECTING") return;
          const socket = new WebSocket(socketUrl);
          this.#socket = socket;
          socket.binaryType = "arraybuffer";
          socket.onopen = () => this.#send({ type: "hello", token });
          socket.onmessage = ({ data }) => this.#take(data);
          socket.onclose = ({ code }) => this.#lose(code);
        } catch {
          this.#show("ENDED", "The call could not be made.");
        }
      }

      #take(data) {
        if (typeof data !== "string") return this.#audio?.node.port.postMessage(new Uint8Array(data));
        const message = JSON.parse(data);
        switch (message.type) {
          case "ready":
            return this.#begin(message);
          case "ringing":
            this.#other = message.displayName ?? "Somebody";
            return this.#show("RINGING", `${this.#other} is calling.`);
          case "started":
            return this.#show(
              "TALKING",
              this.#mode === "AUDIO" ? "You are talking." : "You are connected: write below.",
            );
          case "text":
            return this.#write(null, "ASSISTANT", message.text);
          case "transcript":
            return this.#write(message.index, message.role, message.text);
          case "digits":
            return this.#write(null, "ASSISTANT", `Pressed ${message.digits}`);
          case "ended":
            return this.#end(REASONS[message.reason] ?? "The call has ended.");
        }
      }

      #begin(ready) {
        this.#ready = ready;
        if (ready.kind === "PHONE") return this.#show("WAITING", `Waiting for calls as ${ready.name}.`);
        this.#other = ready.name ?? "Agent";
        return this.#accept();
      }

      async #accept() {
        this.#show("STARTING", "One moment …");
        const why = await this.#openAudio();
        if (this.#state !== "STARTING") return this.#silence();
        this.#mode = why === null ? "AUDIO" : "TEXT";
        this.#note(why === null ? "You speak with your microphone." : `You type: ${why}`);
        this.#send({ type: "accept", mode: this.#mode });
      }

      // Null when microphone and loudspeaker are open; otherwise why they are not.
      async #openAudio() {
        if (!this.#ready.audio) return this.#ready.audioReason;
        if (this.#parts.choice.checked) return "you chose to.";
        if (!navigator.mediaDevices || !window.AudioWorkletNode)
          return "this browser gives a page without https no microphone.";
        let stream;
        let context;
        try {
          stream = await navigator.mediaDevices.getUserMedia({
            audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
          });
          context = new AudioContext({ latencyHint: "interactive" });
          await context.audioWorklet.addModule(scriptUrl);
          const node = new AudioWorkletNode(context, "parley-phone", {
            outputChannelCount: [1],
            channelCount: 1,
            channelCountMode: "explicit",
          });
          node.port.onmessage = ({ data }) => this.#sendFrame(data);
          context.createMediaStreamSource(stream).connect(node).connect(context.destination);
          this.#audio = { stream, context, node, isMuted: false };
          await context.resume();
          return null;
        } catch (error) {
          for (const track of stream?.getTracks() ?? []) track.stop();
          void context?.close();
          return error.name === "NotAllowedError" ? "the microphone was not allowed." : "no microphone was found.";
        }
      }

      #silence() {
        for (const track of this.#audio?.stream.getTracks() ?? []) track.stop();
        void this.#audio?.context.close();
        this.#audio = null;
        this.#parts?.mute.setAttribute("aria-pressed", "false");
      }

      // What cannot leave is dropped: late words help nobody.
      #sendFrame(frame) {
        const socket = this.#socket;
        if (this.#state === "TALKING" && socket?.readyState === 1 && socket.bufferedAmount < 16_000) socket.send(frame);
      }

      #send(message) {
        if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
      }

      #hangUp() {
        if (this.#state === "TALKING") return this.#send({ type: "hangup" });
        this.#socket?.close(1000);
        return this.#socket ? undefined : this.#show("ENDED", "You have ended the call.");
      }

      #end(text) {
        this.#silence();
        if (this.#ready?.kind === "PHONE") this.#show("WAITING", `${text} Waiting for calls as ${this.#ready.name}.`);
        else this.#show("ENDED", text);
      }

      #lose(code) {
        this.#socket = null;
        this.#silence();
        if (this.#state === "ENDED") return;
        const text = this.#state === "WAITING" ? "You are not waiting any more." : "You have ended the call.";
        this.#show("ENDED", code === 1000 ? text : (CODES[code] ?? "The connection was lost."));
      }

      #mute() {
        const audio = this.#audio;
        if (!audio) return;
        audio.isMuted = !audio.isMuted;
        audio.node.port.postMessage({ muted: audio.isMuted });
        this.#parts.mute.setAttribute("aria-pressed", String(audio.isMuted));
      }

      #toggleKeys(open = this.#parts.keys.hidden) {
        this.#parts.keys.hidden = !open;
        this.#parts.keypad.setAttribute("aria-expanded", String(open));
      }

      #press(key) {
        this.#send({ type: "digits", digits: key });
        this.#write(null, "USER", `Pressed ${key}`);
      }

      #type(event) {
        event.preventDefault();
        const { text } = this.#parts;
        const words = text.value.trim();
        if (words === "") return;
        this.#send({ type: "text", text: words });
        this.#write(null, "USER", words);
        text.value = "";
      }

      #note(text) {
        this.#parts.note.textContent = text;
      }

      // A turn that goes on takes the place of what was shown of it.
      #write(index, role, text) {
        const { log } = this.#parts;
        const known = index === null ? undefined : this.#lines.get(index);
        const words = make("span", { textContent: text });
        if (known) known.lastChild.replaceWith(words);
        else {
          const who = role === "USER" ? "You" : this.#other;
          const line = make("li", { className: role === "USER" ? "you" : "" }, make("b", { textContent: who }), words);
          if (index !== null) this.#lines.set(index, line);
          log.append(line);
        }
        log.scrollTop = log.scrollHeight;
      }
    }

    async function post(url) {
      const reply = await fetch(url, { method: "POST" });
      if (!reply.ok) throw new Error(`The page's server answered ${reply.status}.`);
      return reply.json();
    }
    customElements.define("parley-phone", ParleyPhone);
  }
})();
