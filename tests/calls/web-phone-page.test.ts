import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wavHeader } from "#src/audio/codec/wav.ts";
import { AudioHarness, shareOf } from "../kit/audio-harness.ts";
import { Browser, CHROMIUM } from "../kit/browser.ts";
import { World } from "../kit/world.ts";

let world: World;
let site: Server;
let origin: string;
let webPhoneId: unknown;
/** Harness that the page connects to instead of the server, when set. */
let audioHarness: AudioHarness | undefined;
const PICTURES = process.env.WEB_PHONE_PICTURES;

/** The example page, with a server as its README describes. */
beforeAll(async () => {
  world = await World.start();
  const example = readFileSync(new URL("../../examples/web-phone/index.html", import.meta.url), "utf8");
  const html = example.replace("http://127.0.0.1:8080", world.url);
  const asks: Record<string, [string, object]> = {
    "/ring": ["/web-calls", { displayName: "Green Street Clinic" }],
    "/wait": ["/web-phones", { name: "Front desk" }],
  };
  site = createServer(async (request, response) => {
    if (request.method === "GET") {
      const policy = `default-src 'none'; script-src ${world.url}; style-src 'unsafe-inline'; connect-src 'self' ws:; img-src data:`;
      const headers = { "content-type": "text/html", "content-security-policy": policy };
      return response.writeHead(200, headers).end(html);
    }
    if (audioHarness)
      return response.end(JSON.stringify({ token: `wct_${"0".repeat(44)}`, socketUrl: audioHarness.url }));
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
const LINES = `[...${ROOT}.querySelectorAll('.line')].map((one) => one.innerText.replaceAll('\\n', ' ')).join('|')`;
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
    const reported = await browser.accessible();
    for (const one of [
      "region Phone",
      "log Transcript",
      "textbox Message",
      "button Send",
      "button Hang up",
      "button Keypad",
    ]) {
      expect(reported).toContain(one);
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
    const ring = async (displayName = "Ada of Accounts") => {
      const body = { webPhoneId, displayName };
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
    await ring("Ben of Billing");
    await browser.until(is("RINGING"));
    await press(browser, "Accept");
    await browser.until(shows("Ben of Billing Hello"));
    expect(await browser.evaluate(LINES)).not.toContain("Ada");
    await press(browser, "Hang up");
    await browser.until(is("WAITING"));
    expect(browser.faults).toEqual([]);
  },
);

const MICROPHONE_HZ = 700;
const LOUDSPEAKER_HZ = 1_100;

/**
 * Writes a file that Chromium plays as the microphone: bursts of a tone, because an endless sound is taken for noise.
 */
function writeMicrophone(folder: string): string {
  const rateHz = 44_100;
  const samples = Int16Array.from({ length: rateHz * 4 }, (_, i) => {
    const isOn = i % 22_050 < 15_000;
    return isOn ? Math.round(12_000 * Math.sin((2 * Math.PI * MICROPHONE_HZ * i) / rateHz)) : 0;
  });
  const header = wavHeader({ sampleRateHz: rateHz, channels: 1, dataBytes: samples.byteLength });
  const path = join(folder, "microphone.wav");
  writeFileSync(path, Buffer.concat([header, Buffer.from(samples.buffer)]));
  return path;
}

/** Script that also measures every sound connected to a loudspeaker. */
const LISTEN_IN = `(() => {
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...more) {
    if (target instanceof AudioDestinationNode) {
      window.meter = new AnalyserNode(target.context, { fftSize: 8192, smoothingTimeConstant: 0 });
      connect.call(this, window.meter);
    }
    return connect.call(this, target, ...more);
  };
})()`;
const LOUDEST_HZ = `(() => {
  const bins = new Float32Array(window.meter.frequencyBinCount);
  window.meter.getFloatFrequencyData(bins);
  const most = bins.indexOf(Math.max(...bins));
  return bins[most] < -60 ? 0 : (most * window.meter.context.sampleRate) / window.meter.fftSize;
})()`;

test.skipIf(!CHROMIUM)(
  "with a microphone the page sends frames of 20 ms, plays what comes, mutes, presses keys and hangs up",
  { timeout: 120_000 },
  async () => {
    await using harness = await AudioHarness.start(LOUDSPEAKER_HZ);
    audioHarness = harness;
    const folder = mkdtempSync(join(tmpdir(), "parley-microphone-"));
    await using browser = await Browser.open([
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${writeMicrophone(folder)}`,
    ]);
    await browser.goTo(origin);
    await browser.until(is("IDLE"));
    await browser.evaluate(LISTEN_IN);
    await press(browser, "Call");
    await browser.until(is("TALKING"));
    expect(await browser.evaluate(`${ROOT}.querySelector('.note').textContent`)).toContain("microphone");
    await until(() => harness.heard.length >= 150);
    const share = Math.max(...quarters(harness.heard).map((one) => shareOf(one, MICROPHONE_HZ)));
    expect(share).toBeGreaterThan(0.8);
    await browser.until(`Math.abs(${LOUDEST_HZ} - ${LOUDSPEAKER_HZ}) < 20`);
    harness.dialogue?.showTurns([{ index: 0, role: "ASSISTANT", content: "Good" }]);
    harness.dialogue?.showTurns([{ index: 0, role: "ASSISTANT", content: "Good day." }]);
    await browser.until(`${LINES} === "Echo Good day."`);
    await press(browser, "Mute");
    await until(() => harness.heard.slice(-25).every((frame) => frame.every((sample) => sample === 0)));
    await keepPicture(browser, "audio");
    await press(browser, "Mute");
    await until(() => harness.heard.slice(-25).some((frame) => frame.some((sample) => sample > 1_000)));
    await press(browser, "Keypad");
    await press(browser, "7");
    await until(() => harness.digits.join("") === "7");
    await press(browser, "Hang up");
    await browser.until(is("ENDED"));
    await until(() => harness.closings === 1);
    // When the agent hangs up, the loudspeaker is closed once its last words were heard.
    await press(browser, "Call");
    await browser.until(is("TALKING"));
    await browser.until(`Math.abs(${LOUDEST_HZ} - ${LOUDSPEAKER_HZ}) < 20`);
    harness.dialogue?.hangUp();
    await browser.until(is("ENDED"));
    await browser.until(`window.meter.context.state === "closed"`);
    expect(browser.faults).toEqual([]);
    audioHarness = undefined;
    rmSync(folder, { recursive: true });
  },
);

test.skipIf(!CHROMIUM)(
  "where there is no microphone, or the person would rather type, the page asks for text and says why",
  { timeout: 120_000 },
  async () => {
    await using harness = await AudioHarness.start(LOUDSPEAKER_HZ);
    audioHarness = harness;
    await using browser = await Browser.open();
    await browser.goTo(origin);
    for (const [choose, why] of [
      ["", "microphone"],
      [`${ROOT}.querySelector('input[type=checkbox]').click()`, "you chose to"],
    ] as const) {
      await browser.until(`${is("IDLE")} || ${is("ENDED")}`);
      await browser.evaluate(choose);
      await press(browser, "Call");
      await browser.until(is("TALKING"));
      expect(await browser.evaluate(`${ROOT}.querySelector('.note').textContent`)).toContain(why);
      expect(harness.dialogue?.source).toBeNull();
      await press(browser, "Hang up");
    }
    await browser.until(is("ENDED"));
    await browser.evaluate(`${ROOT}.querySelector('input[type=checkbox]').click()`);
    // The person is asked for the microphone, and hangs up instead.
    await browser.evaluate("navigator.mediaDevices.getUserMedia = () => new Promise(() => {})");
    await press(browser, "Call");
    await browser.until(is("STARTING"));
    await press(browser, "Hang up");
    await browser.until(is("ENDED"));
    expect(harness.declines).toBe(1);
    audioHarness = undefined;
  },
);

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`It did not come to hold: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Joins frames to quarters of a second. */
function quarters(frames: Int16Array[]): Int16Array[] {
  return Array.from({ length: Math.floor(frames.length / 12) }, (_, i) =>
    Int16Array.from(frames.slice(i * 12, i * 12 + 12).flatMap((frame) => [...frame])),
  );
}
