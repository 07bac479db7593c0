import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser, CHROMIUM } from "./browser.ts";
import { World } from "./world.ts";

let world: World;
let site: Server;
let origin: string;
let webPhoneId: unknown;
const PICTURES = process.env.WEB_PHONE_PICTURES;

/** The example page, with a server as its README has one. */
beforeAll(async () => {
  world = await World.start();
  const example = readFileSync(new URL("../examples/web-phone/index.html", import.meta.url), "utf8");
  const html = example.replace("http://127.0.0.1:8080", world.url);
  const asks: Record<string, [string, object]> = {
    "/ring": ["/web-calls", { displayName: "Green Street Clinic" }],
    "/wait": ["/web-phones", { name: "Front desk" }],
  };
  site = createServer(async (request, response) => {
    if (request.method === "GET") {
      const policy = `default-src 'none'; script-src ${world.url}; style-src 'unsafe-inline'; connect-src 'self' ${world.url.replace("http", "ws")}; img-src data:`;
      const headers = { "content-type": "text/html", "content-security-policy": policy };
      return response.writeHead(200, headers).end(html);
    }
    const [path, more] = asks[request.url ?? ""] as [string, object];
    const { body } = await world.request("POST", path, { body: { allowedOrigins: [origin], ...more } });
    webPhoneId = body.id;
    return response.end(JSON.stringify({ token: body.token, socketUrl: body.socketUrl }));
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(site.address() as { port: number }).port}`;
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await world[Symbol.asyncDispose]();
});

const PHONE = "document.querySelector('parley-phone')";
const ROOT = `${PHONE}.shadowRoot`;
const LINES = `[...${ROOT}.querySelectorAll('li')].map((one) => one.innerText.replaceAll('\\n', ' ')).join('|')`;
const is = (state: string) => `${PHONE}?.state === '${state}'`;
const shows = (text: string) => `${LINES}.includes(${JSON.stringify(text)})`;
const button = (name: string) =>
  `[...${ROOT}.querySelectorAll('button')].find((one) => one.textContent === '${name}' && !one.closest('[hidden]'))`;

async function press(browser: Browser, name: string): Promise<void> {
  await browser.until(`${button(name)} !== undefined`);
  await browser.evaluate(`${button(name)}.focus()`);
  await browser.press("Enter");
}

async function say(browser: Browser, text: string): Promise<void> {
  await browser.evaluate(`${ROOT}.querySelector('input[type=text]').focus()`);
  await browser.type(text);
  await browser.press("Enter");
}

async function keepPicture(browser: Browser, name: string): Promise<void> {
  if (PICTURES) writeFileSync(join(PICTURES, `${name}.png`), await browser.picture());
}

test.skipIf(!CHROMIUM)(
  "from the example page one rings the flow by keyboard and talks by text, told why, to the end of the call",
  { timeout: 120_000 },
  async () => {
    await using browser = await Browser.open();
    await browser.goTo(origin);
    await browser.until(is("IDLE"));
    await keepPicture(browser, "idle");
    await press(browser, "Call");
    await browser.until(is("TALKING"));
    await browser.until(shows("Green Street Clinic Hello"));
    expect(await browser.evaluate(`${ROOT}.activeElement.tagName`)).toBe("INPUT");
    expect(await browser.evaluate(`${ROOT}.querySelector('.note').textContent`)).toContain("speech to text");
    await say(browser, "<b>Hello</b>");
    await browser.until(shows("You <b>Hello</b>"));
    const told = await browser.accessible();
    for (const one of ["region Phone", "log Transcript", "textbox Message", "button Send", "button Hang up", "button Keypad"]) {
      expect(told).toContain(one);
    }
    await press(browser, "Keypad");
    expect(await browser.evaluate(`${button("Keypad")}.getAttribute('aria-expanded')`)).toBe("true");
    await press(browser, "5");
    await browser.until(shows("You Pressed 5"));
    await keepPicture(browser, "talking");
    await press(browser, "Hang up");
    await browser.until(is("ENDED"));
    await keepPicture(browser, "ended");
    const [call] = (await world.request("GET", "/call-history")).body.content as { id: string }[];
    const row = await world.until(`/call-rows/${String(call?.id)}`, ({ endedAt }) => endedAt !== null);
    expect(row).toMatchObject({ status: "COMPLETED", endReason: "CUSTOMER_HUNG_UP" });
    expect(row.transcriptText).toContain("USER: <b>Hello</b>\n");
    expect(row.transcriptText).toContain("USER: 5");
    expect(browser.faults).toEqual([]);
  },
);

test.skipIf(!CHROMIUM)(
  "a page that waits is rung, shows who rings, and takes the call or declines it",
  { timeout: 120_000 },
  async () => {
    await using browser = await Browser.open();
    await browser.goTo(origin);
    await press(browser, "Wait for calls");
    await browser.until(is("WAITING"));
    const ring = async () => {
      const body = { webPhoneId, displayName: "Ada of Accounts" };
      return String((await world.request("POST", "/web-calls", { body })).body.callRowId);
    };
    const declined = await ring();
    await browser.until(is("RINGING"));
    expect(await browser.evaluate(`${ROOT}.querySelector('.state').textContent`)).toBe("Ada of Accounts is calling.");
    expect(await browser.evaluate(`${ROOT}.activeElement.textContent`)).toBe("Accept");
    await keepPicture(browser, "ringing");
    await press(browser, "Decline");
    await browser.until(is("WAITING"));
    expect(await world.until(`/call-rows/${declined}`, ({ endedAt }) => endedAt !== null)).toMatchObject({
      status: "FAILED",
      outcome: "REJECTED",
    });
    const taken = await ring();
    await browser.until(is("RINGING"));
    await press(browser, "Accept");
    await browser.until(shows("Ada of Accounts Hello"));
    await press(browser, "Hang up");
    await browser.until(is("WAITING"));
    expect(await world.until(`/call-rows/${taken}`, ({ endedAt }) => endedAt !== null)).toMatchObject({
      status: "COMPLETED",
      endReason: "CUSTOMER_HUNG_UP",
    });
    expect(browser.faults).toEqual([]);
  },
);
