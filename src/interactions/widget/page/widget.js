"use strict";
// The chat widget: <script src="ORIGIN/widget.js" data-widget="wgt_…" async></script>. It uses browser APIs alone,
// draws inside a shadow root, and shows texts as text, never as markup.
{
  const script = document.currentScript;
  const widget = script.dataset.widget ?? "";
  const server = new URL(script.src).origin;
  const storageKey = `parley:${widget}`;

  const TEXTS = {
    en: "Open chat|Close chat window|End chat|Messages|Message|Write a message|Send|You|Assistant|Agent is writing|Connecting again …|This chat has ended.|New chat|Not sent.|Try again|The chat is not available now.|new messages",
    de: "Chat öffnen|Chatfenster schließen|Chat beenden|Nachrichten|Nachricht|Nachricht schreiben|Senden|Sie|Assistent|Antwort wird geschrieben|Verbindung wird wiederhergestellt …|Dieser Chat ist beendet.|Neuer Chat|Nicht gesendet.|Erneut versuchen|Der Chat ist gerade nicht verfügbar.|neue Nachrichten",
    es: "Abrir chat|Cerrar la ventana de chat|Terminar chat|Mensajes|Mensaje|Escriba un mensaje|Enviar|Usted|Asistente|Escribiendo|Conectando de nuevo …|Este chat ha terminado.|Nuevo chat|No enviado.|Reintentar|El chat no está disponible ahora.|mensajes nuevos",
    fr: "Ouvrir le chat|Fermer la fenêtre de chat|Terminer le chat|Messages|Message|Écrivez un message|Envoyer|Vous|Assistant|Réponse en cours|Reconnexion …|Ce chat est terminé.|Nouveau chat|Non envoyé.|Réessayer|Le chat n’est pas disponible.|nouveaux messages",
    sv: "Öppna chatten|Stäng chattfönstret|Avsluta chatten|Meddelanden|Meddelande|Skriv ett meddelande|Skicka|Du|Assistent|Skriver|Ansluter igen …|Chatten är avslutad.|Ny chatt|Inte skickat.|Försök igen|Chatten är inte tillgänglig nu.|nya meddelanden",
  };
  const language = (script.dataset.lang || document.documentElement.lang || navigator.language)
    .slice(0, 2)
    .toLowerCase();
  const words = (TEXTS[language] ?? TEXTS.en).split("|");
  const [
    OPEN,
    CLOSE,
    END,
    LOG,
    LABEL,
    HINT,
    SEND,
    YOU,
    ASSISTANT,
    WRITING,
    CONNECTING,
    OVER,
    NEW,
    UNSENT,
    AGAIN,
    GONE,
    UNREAD,
  ] = words;

  const CSS = `
:host{all:initial}
*{box-sizing:border-box;font:16px/1.45 system-ui,sans-serif}
[hidden]{display:none!important}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
button{border:0;cursor:pointer;border-radius:8px;background:none;color:inherit;padding:6px 10px}
:focus-visible{outline:3px solid var(--c);outline-offset:2px}
.launch,.panel{position:fixed;right:max(20px,env(safe-area-inset-right));bottom:max(20px,env(safe-area-inset-bottom));z-index:2147483000}
.launch{width:56px;height:56px;border-radius:50%;padding:14px;background:var(--c);color:var(--t);box-shadow:0 4px 14px #0004}
.launch svg{display:block;fill:currentColor}
.badge{position:absolute;top:-4px;right:-4px;min-width:22px;padding:0 6px;border-radius:11px;background:#b3261e;color:#fff;font-size:13px;line-height:22px}
.panel{display:flex;flex-direction:column;width:min(380px,calc(100vw - 40px));height:min(600px,calc(100dvh - 40px));background:#fff;color:#1b1c1f;border:1px solid #c9ccd3;border-radius:14px;overflow:hidden;box-shadow:0 10px 34px #0004}
header{display:flex;align-items:center;gap:4px;padding:10px 8px 10px 16px;background:var(--c);color:var(--t)}
header :focus-visible{outline-color:var(--t)}
h2{flex:1;margin:0;font-size:17px;font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
header button{font-size:14px;min-height:36px}
header .min{font-size:22px;line-height:1}
.log{flex:1;overflow-y:auto;overscroll-behavior:contain;padding:14px}
ol{list-style:none;margin:0;padding:0;display:flex;flex-direction:column;gap:8px}
li{max-width:85%;padding:8px 12px;border-radius:14px;background:#eef0f4;align-self:flex-start;white-space:pre-wrap;overflow-wrap:anywhere}
li.me{align-self:flex-end;background:var(--c);color:var(--t)}
li.wait{opacity:.7}
li small{display:block;font-size:13px}
li small button{padding:0 4px;text-decoration:underline;font-size:13px}
.state{min-height:24px;margin:0;padding:0 16px 4px;font-size:14px;color:#4d5260}
.state button{color:#1b1c1f;text-decoration:underline;font-size:14px}
.dots::after{content:"…";animation:b 1s steps(2) infinite}
@keyframes b{50%{opacity:.2}}
form{display:flex;gap:8px;padding:10px;border-top:1px solid #dfe2e8}
textarea{flex:1;resize:none;max-height:120px;padding:9px 12px;border:1px solid #8a909e;border-radius:10px;background:#fff;color:inherit}
form button{background:var(--c);color:var(--t);min-width:44px}
form button:disabled{opacity:.5;cursor:default}
@media (max-width:480px){.panel{inset:0;width:100%;height:100dvh;border:0;border-radius:0;padding-bottom:env(safe-area-inset-bottom)}}
@media (prefers-reduced-motion){.dots::after{animation:none}}`;

  /** State kept across page loads: the token, whether the window is open, and the last event that was read. */
  const kept = { token: null, isOpen: false, read: 0, ...readKept() };
  const pending = new Map();
  let sending = Promise.resolve();
  let starting;
  let lastId = 0;
  let unread = 0;
  let isOver = false;
  let connection = 0;
  let abort = new AbortController();
  let wakeUp = () => {};

  function readKept() {
    try {
      return JSON.parse(sessionStorage.getItem(storageKey)) ?? {};
    } catch {
      return {};
    }
  }

  function keep(change) {
    Object.assign(kept, change);
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(kept));
    } catch {
      // Without storage the chat lasts as long as the page.
    }
  }

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const badge = make("span", { class: "badge", hidden: "" });
  const launch = make("button", {
    class: "launch",
    type: "button",
    "aria-expanded": "false",
    "aria-label": OPEN,
    onclick: () => open(true),
  });
  const title = make("h2", { id: "title" });
  const endButton = make("button", { type: "button", onclick: end }, END);
  const list = make("ol");
  const log = make("div", { class: "log", role: "log", "aria-label": LOG, tabindex: "0" }, list);
  const state = make("p", { class: "state", role: "status" });
  const input = make("textarea", {
    id: "text",
    rows: "1",
    maxlength: "2000",
    placeholder: HINT,
    enterkeyhint: "send",
    oninput: grow,
    onkeydown: onKey,
  });
  const sendButton = make("button", { type: "submit", "aria-label": SEND }, "➤");
  const form = make(
    "form",
    { onsubmit: submit },
    make("label", { class: "sr", for: "text" }, LABEL),
    input,
    sendButton,
  );
  const panel = make(
    "section",
    {
      class: "panel",
      role: "dialog",
      "aria-labelledby": "title",
      hidden: "",
      onkeydown: (event) => event.key === "Escape" && !isComposing(event) && close(),
    },
    make(
      "header",
      {},
      title,
      endButton,
      make("button", { class: "min", type: "button", "aria-label": CLOSE, onclick: close }, "×"),
    ),
    log,
    state,
    form,
  );

  function draw({ name, themeColor }) {
    // A page's policy against inline styles does not cover a sheet made by script.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
    root.adoptedStyleSheets = [sheet];
    const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(themeColor.slice(at, at + 2), 16) / 255) ** 2.2);
    const isLight = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18;
    host.style.setProperty("--c", themeColor);
    host.style.setProperty("--t", isLight ? "#111" : "#fff");
    title.textContent = name;
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    icon.setAttribute("viewBox", "0 0 24 24");
    icon.setAttribute("aria-hidden", "true");
    const shape = document.createElementNS(icon.namespaceURI, "path");
    shape.setAttribute("d", "M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z");
    icon.append(shape);
    launch.append(icon, badge);
    root.append(launch, panel);
    document.body.append(host);
  }

  function request(path, options = {}, token = kept.token) {
    const headers = { ...options.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const url = `${server}/api/widget/${path}?widget=${encodeURIComponent(widget)}`;
    return fetch(url, { ...options, headers, credentials: "omit", cache: "no-store" });
  }

  /** Waits until the time is over or wakeUp is called. */
  function pause(ms) {
    return new Promise((resolve) => {
      setTimeout(resolve, ms * (0.5 + Math.random()));
      wakeUp = resolve;
    });
  }

  function open(takesFocus) {
    panel.hidden = false;
    launch.hidden = true;
    launch.setAttribute("aria-expanded", "true");
    unread = 0;
    keep({ isOpen: true, read: lastId });
    showUnread();
    log.scrollTop = log.scrollHeight;
    if (takesFocus) input.focus();
    if (!kept.token) void start();
  }

  function close() {
    panel.hidden = true;
    launch.hidden = false;
    launch.setAttribute("aria-expanded", "false");
    launch.focus();
    keep({ isOpen: false });
  }

  function showUnread() {
    badge.hidden = unread === 0;
    badge.textContent = unread > 9 ? "9+" : String(unread);
    launch.setAttribute("aria-label", unread > 0 ? `${OPEN} (${unread} ${UNREAD})` : OPEN);
  }

  function tell(text, ...more) {
    state.className = text === WRITING ? "state dots" : "state";
    state.replaceChildren(text, ...more);
  }

  /** Starts a chat once, even when called several times. */
  function start() {
    starting ??= (async () => {
      try {
        const reply = await request("sessions", { method: "POST" }, null);
        if (!reply.ok) throw new Error(String(reply.status));
        keep({ token: (await reply.json()).token, read: 0 });
        tell("");
        void listen();
      } catch {
        tell(`${GONE} `, make("button", { type: "button", onclick: () => void start() }, AGAIN));
      } finally {
        starting = undefined;
      }
    })();
    return starting;
  }

  /** Follows the chat until it is over. Reconnects with growing pauses when the connection breaks. */
  async function listen() {
    const mine = ++connection;
    let waitMs = 500;
    while (mine === connection && kept.token && !isOver) {
      abort = new AbortController();
      try {
        const headers = lastId > 0 ? { "last-event-id": String(lastId) } : {};
        const reply = await request("events", { headers, signal: abort.signal });
        if (reply.status === 204 || reply.status === 401 || reply.status === 404) return finish();
        if (!reply.ok) throw new Error(String(reply.status));
        if (state.textContent === CONNECTING) tell("");
        await read(reply.body.getReader(), () => (waitMs = 500));
      } catch {
        // Tried again below.
      }
      if (mine !== connection || isOver) return;
      if (waitMs > 1_000) tell(CONNECTING);
      await pause(waitMs);
      waitMs = Math.min(waitMs * 2, 30_000);
    }
  }

  async function read(reader, onBytes) {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      // The server sends something every 15 seconds; a connection that is silent for longer is dead.
      const timer = setTimeout(() => abort.abort(), 40_000);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      onBytes();
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) take(block);
    }
  }

  function take(block) {
    const fields = {};
    for (const line of block.split("\n")) {
      const at = line.indexOf(":");
      if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2);
    }
    if (fields.data === undefined) return;
    const data = JSON.parse(fields.data);
    if (fields.id) lastId = Number(fields.id);
    if (fields.event === "message.created") showMessage(data.message);
    if (fields.event === "typing" && !isOver) tell(data.active ? WRITING : "");
    if (fields.event === "session.updated" && !["ACTIVE", "HANDED_OFF"].includes(data.session.status)) finish();
    if (!panel.hidden) keep({ read: lastId });
  }

  function showMessage({ role, content, clientMessageId }) {
    const mine = pending.get(clientMessageId);
    if (mine) {
      pending.delete(clientMessageId);
      mine.classList.remove("wait");
      mine.querySelector("small")?.remove();
      return;
    }
    bubble(role === "USER", content);
    if (role === "USER" || !panel.hidden || lastId <= kept.read) return;
    unread++;
    showUnread();
  }

  function bubble(isMine, content) {
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
    const item = make("li", { dir: "auto", ...(isMine ? { class: "me" } : {}) });
    item.append(make("span", { class: "sr" }, `${isMine ? YOU : ASSISTANT}: `), content);
    list.append(item);
    if (isAtEnd || isMine) log.scrollTop = log.scrollHeight;
    return item;
  }

  function finish() {
    isOver = true;
    input.disabled = true;
    sendButton.disabled = true;
    endButton.hidden = true;
    tell(`${OVER} `, make("button", { type: "button", onclick: restart }, NEW));
  }

  function restart() {
    connection++;
    abort.abort();
    isOver = false;
    lastId = 0;
    pending.clear();
    keep({ token: null, read: 0 });
    list.replaceChildren();
    input.disabled = false;
    sendButton.disabled = false;
    endButton.hidden = false;
    tell("");
    input.focus();
    void start();
  }

  async function end() {
    try {
      if (kept.token) await request("close", { method: "POST" });
    } catch {
      // It ends by itself when nobody writes any more.
    }
    finish();
    state.querySelector("button").focus();
  }

  /** True for a key of an input method. Safari marks the Enter that ends a composition with the code 229 alone. */
  const isComposing = (event) => event.isComposing || event.keyCode === 229;

  function onKey(event) {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    form.requestSubmit();
  }

  function grow() {
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight + 2}px`;
  }

  function submit(event) {
    event.preventDefault();
    const content = input.value.trim();
    if (content === "" || isOver) return;
    input.value = "";
    grow();
    const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
    const item = bubble(true, content);
    item.classList.add("wait");
    pending.set(id, item);
    post(id, content, item);
  }

  /** Sends messages one after the other, so that they arrive in order. */
  function post(id, content, item) {
    sending = sending.then(async () => {
      for (let waitMs = 500; waitMs < 10_000; waitMs *= 2) {
        try {
          if (!kept.token) await start();
          if (!kept.token) throw new Error("No chat could begin.");
          const body = JSON.stringify({ content, clientMessageId: id });
          const reply = await request("messages", {
            method: "POST",
            body,
            headers: { "content-type": "application/json" },
          });
          if (reply.ok) return item.classList.remove("wait");
          if (reply.status === 409 || reply.status === 401) return finish();
          if (reply.status !== 429 && reply.status < 500) break;
        } catch {
          // Tried again below: the id makes a repeat the same message.
        }
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
      const again = make("button", { type: "button" }, AGAIN);
      const note = make("small", {}, `${UNSENT} `, again);
      again.addEventListener("click", () => {
        note.remove();
        post(id, content, item);
      });
      item.append(note);
    });
  }

  async function begin() {
    if (!document.body)
      await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
    const reply = await request("settings", {}, null);
    if (!reply.ok) throw new Error(`The chat widget ${widget} was refused with ${reply.status}.`);
    const settings = await reply.json();
    if (!settings.active && !kept.token) return;
    draw(settings);
    addEventListener("online", () => wakeUp());
    document.addEventListener("visibilitychange", () => document.hidden || wakeUp());
    if (kept.token) void listen();
    if (kept.isOpen) open(false);
  }

  // A repeated tag in the page creates one widget only.
  const marks = (window.parleyWidgets ??= new Set());
  if (widget !== "" && !marks.has(widget)) {
    marks.add(widget);
    begin().catch((error) =>
      console.warn(`The chat widget cannot start. Is ${location.origin} among its origins?`, error),
    );
  }
}
