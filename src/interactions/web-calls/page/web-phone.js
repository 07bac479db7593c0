"use strict";
// The web phone's page: <parley-phone call-url="/ring" phone-url="/wait"></parley-phone>. It uses browser APIs alone,
// draws inside a shadow root, and shows texts as text, never as markup.
if (typeof registerProcessor !== "function" && !customElements.get("parley-phone")) {
  const scriptUrl = document.currentScript.src;
  const CSS = `
    :host { display: block; max-width: 26rem; font: var(--phone-font, 16px/1.5 system-ui, sans-serif); color: var(--phone-ink, #1b1c1f); }
    * { box-sizing: border-box; } [hidden] { display: none !important; }
    section { border: 1px solid var(--phone-line, #c9ccd3); border-radius: 12px; padding: 1rem; background: var(--phone-paper, #fff); }
    .state { margin: 0; font-size: 1.15rem; font-weight: 600; } .note { margin: .25rem 0 0; color: var(--phone-dim, #4a4d55); font-size: .9rem; }
    .row { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .9rem; }
    button, input[type=text] { font: inherit; min-height: 44px; border-radius: 8px; border: 1px solid #8b8f99; padding: .4rem .9rem; }
    button { background: var(--phone-soft, #f3f4f6); color: inherit; cursor: pointer; }
    button.go { background: #14532d; border-color: #14532d; color: #fff; }
    button.stop { background: #991b1b; border-color: #991b1b; color: #fff; }
    button[aria-pressed=true] { background: var(--phone-ink, #1b1c1f); color: var(--phone-paper, #fff); }
    :focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
    .log { margin: .9rem 0 0; max-height: 16rem; overflow: auto; } .log:empty { display: none; }
    .line { margin: .35rem 0; padding: .45rem .7rem; border-radius: 8px; background: var(--phone-soft, #f3f4f6); white-space: pre-wrap; overflow-wrap: anywhere; }
    .you { background: var(--phone-mine, #dbeafe); margin-left: 2rem; } .line b { display: block; font-size: .78rem; color: var(--phone-dim, #4a4d55); }
    form { display: flex; gap: .5rem; align-items: end; margin-top: .9rem; } form label { flex: 1; font-size: .85rem; }
    input[type=text] { display: block; width: 100%; background: var(--phone-paper, #fff); color: inherit; }
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

    /** Begins a call with the result of requestCall, or with the answer of call-url to a POST. */
    call() {
      return this.#connect(this.requestCall ?? (() => post(this.getAttribute("call-url"))));
    }

    /** Waits to be rung with the result of requestPhone, or with the answer of phone-url to a POST. */
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
      parts.log = make("div", {
        className: "log",
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
      const keys = Array.from("123456789*0#", (key) => {
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
      this.#parts = parts;
      this.#lay();
    }

    #lay() {
      const parts = this.#parts;
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

    // Moves the focus of keyboard users to the next useful button, not to one that is gone.
    #moveFocus(hadFocus) {
      const mayType = this.#state === "TALKING" && this.#mode === "TEXT";
      if (this.#state !== "RINGING" && !(hadFocus && (mayType || hadFocus.closest("[hidden]")))) return;
      const { accept, text, hangUp, call, wait, leave } = this.#parts;
      [accept, text, hangUp, leave, call, wait].find((one) => !one.closest("[hidden]"))?.focus();
    }

    async #connect(request) {
      if (this.#state !== "IDLE" && this.#state !== "ENDED") return;
      // The connection of an ended call may still be open; a new call does not wait for it to close.
      this.#socket?.close(1000);
      this.#socket = null;
      this.#clear();
      this.#note("");
      this.#show("CONNECTING", "Connecting …");
      try {
        const { token, socketUrl } = await request();
        if (this.#state !== "CONNECTING") return;
        const socket = new WebSocket(socketUrl);
        this.#socket = socket;
        socket.binaryType = "arraybuffer";
        socket.onopen = () => this.#send({ type: "hello", token });
        socket.onmessage = ({ data }) => this.#socket === socket && this.#take(data);
        socket.onclose = ({ code }) => this.#socket === socket && this.#lose(code);
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
          // The turns of each call are counted from 0.
          this.#clear();
          return this.#show("TALKING", this.#mode === "AUDIO" ? "You are talking." : "You are connected: write below.");
        case "text":
          return this.#write(null, "ASSISTANT", message.text);
        case "transcript":
          return this.#write(message.index, message.role, message.text);
        case "digits":
          return this.#write(null, "ASSISTANT", `Pressed ${message.digits}`);
        case "ended":
          return this.#end(REASONS[message.reason] ?? "The call has ended.", message.reason === "AGENT");
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

    // Opens microphone and loudspeaker. Returns null when both are open, otherwise the reason.
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

    // The last words of an agent that hangs up still wait to be played.
    #silence(playsOut = false) {
      const audio = this.#audio;
      this.#audio = null;
      for (const track of audio?.stream.getTracks() ?? []) track.stop();
      if (audio && playsOut) {
        audio.node.port.onmessage = ({ data }) => data.played && audio.context.close();
        audio.node.port.postMessage({ ended: true });
      } else void audio?.context.close();
      this.#parts?.mute.setAttribute("aria-pressed", "false");
    }

    // A frame that cannot be sent is dropped, because it would be heard too late.
    #sendFrame(frame) {
      const socket = this.#socket;
      if (this.#state === "TALKING" && socket?.readyState === 1 && socket.bufferedAmount < 16_000) socket.send(frame);
    }

    #send(message) {
      if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
    }

    #hangUp() {
      // A call that is not begun yet is declined thereby: otherwise it would go on ringing.
      if (this.#state === "TALKING" || this.#state === "STARTING") return this.#send({ type: "hangup" });
      this.#socket?.close(1000);
      return this.#socket ? undefined : this.#show("ENDED", "You have ended the call.");
    }

    #end(text, playsOut) {
      this.#silence(playsOut);
      this.#note("");
      if (this.#ready?.kind === "PHONE") this.#show("WAITING", `${text} Waiting for calls as ${this.#ready.name}.`);
      else this.#show("ENDED", text);
    }

    #lose(code) {
      this.#socket = null;
      this.#silence();
      if (this.#state === "ENDED") return;
      this.#note("");
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

    #clear() {
      this.#parts.log.replaceChildren();
      this.#lines.clear();
    }

    #note(text) {
      this.#parts.note.textContent = text;
    }

    // A turn that goes on replaces its earlier text.
    #write(index, role, text) {
      const { log } = this.#parts;
      const known = index === null ? undefined : this.#lines.get(index);
      const words = make("span", { textContent: text });
      if (known) known.lastChild.replaceWith(words);
      else {
        const who = role === "USER" ? "You" : this.#other;
        const line = make(
          "div",
          { className: role === "USER" ? "line you" : "line" },
          make("b", { textContent: who }),
          words,
        );
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
