import { createServer, type Server } from "node:http";
import { connect, createServer as createRelay, type Server as Relay, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser, CHROMIUM } from "../kit/browser.ts";
import { World } from "../kit/world.ts";

let world: World;
let shop: Server;
let origin: string;
let html = "";
/** Stands between the browser and the server, so that the test can break connections. */
let relay: Relay;
let relayUrl: string;
const sockets = new Set<Socket>();
beforeAll(async () => {
  world = await World.start();
  shop = createServer((_request, response) => {
    const policy = `default-src 'none'; script-src ${relayUrl}; connect-src ${relayUrl}`;
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(html);
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  relay = createRelay((socket) => {
    const onward = connect(Number(new URL(world.url).port), "127.0.0.1");
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other).on("error", () => undefined);
      one.on("error", () => undefined).on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  relayUrl = `http://127.0.0.1:${(relay.address() as { port: number }).port}`;
  origin = `http://127.0.0.1:${(shop.address() as { port: number }).port}`;
});
afterAll(async () => {
  shop.closeAllConnections();
  shop.close();
  for (const socket of sockets) socket.destroy();
  relay.close();
  await world[Symbol.asyncDispose]();
});

const IN = "[...document.querySelectorAll('div')].find((one) => one.shadowRoot)?.shadowRoot";
const texts = `[...${IN}.querySelectorAll('li')].map((one) => one.innerText.replaceAll('\\n', ' ')).join('|')`;
const shows = (text: string) => `${texts}.includes(${JSON.stringify(text)})`;

/** Makes a widget for the page; returns its tag. */
async function makeWidget(): Promise<string> {
  const body = { name: "Shop", allowedOrigins: [origin], greeting: "How can I help?" };
  const { publicId } = (await world.request("POST", "/widgets", { body })).body;
  return `<script src="${relayUrl}/widget.js" data-widget="${String(publicId)}" async></script>`;
}

test.skipIf(!CHROMIUM)(
  "in a browser the widget opens by keyboard, shows text as text, and keeps its chat over pages and broken connections, under a strict policy",
  { timeout: 120_000 },
  async () => {
    const tag = await makeWidget();
    html = `<!doctype html><html lang="en"><title>Shop</title><p>Welcome</p>${tag}${tag}`;
    await using browser = await Browser.open();
    await browser.goTo(origin);
    await browser.until(`${IN}?.querySelector('.launch') !== null && ${IN} !== undefined`);
    expect(await browser.evaluate("document.querySelectorAll('div').length")).toBe(1);
    await browser.evaluate(`${IN}.querySelector('.launch').focus()`);
    await browser.press("Enter");
    await browser.until(shows("Assistant: How can I help?"));
    expect(await browser.evaluate(`${IN}.activeElement.tagName`)).toBe("TEXTAREA");
    await browser.type("<b>Hello</b>");
    // Enter that ends a composition, as Safari sends it: it chooses a word, and sends nothing.
    const press = `new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true })`;
    await browser.evaluate(`${IN}.activeElement.dispatchEvent(${press})`);
    expect(await browser.evaluate(`${IN}.querySelector("textarea").value`)).toBe("<b>Hello</b>");
    await browser.press("Enter");
    await browser.until(shows("Assistant: Will you be able to come"));
    const before = await browser.evaluate(texts);
    expect(before).toContain("You: <b>Hello</b>");
    const reported = await browser.accessible();
    for (const one of ["dialog Shop", "log Messages", "textbox Message", "button Send", "button End chat"]) {
      expect(reported).toContain(one);
    }
    await browser.goTo(`${origin}/other`);
    await browser.until(`location.pathname === '/other' && ${shows("Will you be able to come")}`);
    expect(await browser.evaluate(texts)).toBe(before);
    expect(browser.faults).toEqual([]);
    for (const socket of sockets) socket.destroy();
    const [chat] = (await world.request("GET", "/chat-sessions")).body.content as { id: string }[];
    const path = `/chat-sessions/${String(chat?.id)}/messages`;
    await world.request("POST", path, { body: { content: "Still here.", role: "AGENT" } });
    await browser.until(shows("Assistant: Still here."));
    expect(await browser.evaluate(texts)).toBe(`${String(before)}|Assistant: Still here.`);
    await browser.evaluate(`${IN}.querySelector('textarea').focus()`);
    await browser.press("Escape");
    expect(await browser.evaluate(`${IN}.activeElement.className`)).toBe("launch");
    expect(await browser.evaluate(`${IN}.querySelector('.panel').hidden`)).toBe(true);
  },
);

test.skipIf(!CHROMIUM)(
  "a message that is written while no chat can begin is sent once one can",
  { timeout: 120_000 },
  async () => {
    html = `<!doctype html><html lang="en"><title>Shop</title>${await makeWidget()}`;
    await using browser = await Browser.open();
    await browser.goTo(origin);
    await browser.until("document.title === 'Shop'");
    // Opening the window and the first attempt to send both begin a chat.
    await browser.evaluate(`{
      const send = fetch;
      window.begun = 0;
      window.fetch = async (url, options) =>
        url.includes("/sessions?") && ++begun <= 2 ? new Response("", { status: 503 }) : send(url, options);
    }`);
    await browser.until(`${IN}?.querySelector('.launch') !== null && ${IN} !== undefined`);
    await browser.evaluate(`${IN}.querySelector('.launch').click()`);
    await browser.until(`${IN}.querySelector('.state').textContent.startsWith("The chat is not available now.")`);
    await browser.type("Hello there");
    await browser.press("Enter");
    await browser.until(shows("Assistant: Will you be able to come"));
    expect(await browser.evaluate(texts)).toContain("You: Hello there");
    expect(await browser.evaluate("begun")).toBe(3);
  },
);
