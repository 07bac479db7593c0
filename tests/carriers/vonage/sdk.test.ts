import { randomUUID } from "node:crypto";
import { Auth } from "@vonage/auth";
import { Messages, SMS, WhatsAppCustom, WhatsAppTemplate, WhatsAppText } from "@vonage/messages";
import { MachineDetectionBehavior, NCCOBuilder, OutboundCallWithNCCO, Voice } from "@vonage/voice";
import { expect, test } from "vitest";
import type { OutgoingMessage } from "#src/telephony/carriers/messages.ts";
import { VonageHarness } from "../../kit/carriers/vonage-harness.ts";

const NEVER = new AbortController().signal;
const FROM = "+12025550199";
const TO = "+14155550123";
const ENDS = { from: "12025550199", to: "14155550123" };

/** The vendor's own kit, unmodified, against the same server. */
function openKit(harness: VonageHarness) {
  const { apiKey = "", apiSecret = "", applicationId = "", privateKey = "" } = harness.vonage.keys;
  const auth = new Auth({ apiKey, apiSecret, applicationId, privateKey });
  return {
    messages: new Messages(auth, { apiHost: harness.vonage.url }),
    voice: new Voice(auth, { apiHost: harness.vonage.url }),
  };
}

function bodies(harness: VonageHarness, path: string): unknown[] {
  const sent = harness.vonage.requests.filter((request) => request.method === "POST" && request.path === path);
  return sent.map(({ body }) => JSON.parse(body) as unknown);
}

test("the vendor's kit sends the same messages as we do, to the same address", async () => {
  await using harness = await VonageHarness.start();
  const messageId = randomUUID();
  const base: OutgoingMessage = {
    workspaceId: "w",
    messageId,
    channel: "WHATSAPP",
    from: FROM,
    to: TO,
    text: "Hello.",
    template: null,
    attempt: 1,
  };
  const { messenger } = harness.account;
  const template = { name: "visit", language: "en_US", variables: { "1": "Ada" } };
  await messenger.send({ ...base, channel: "SMS" }, NEVER);
  await messenger.send(base, NEVER);
  await messenger.send({ ...base, template }, NEVER);
  await messenger.send({ ...base, template: { ...template, variables: { who: "Ada" } } }, NEVER);
  const ours = bodies(harness, "/v1/messages");
  const { messages } = openKit(harness);
  const ends = { ...ENDS, clientRef: messageId };
  const parameters = [{ type: "text", parameter_name: "who", text: "Ada" }];
  const language = { code: "en_US", policy: "deterministic" };
  const inner = { name: "visit", language, components: [{ type: "body", parameters }] };
  const policy = { policy: "deterministic", locale: "en_US" } as ConstructorParameters<
    typeof WhatsAppTemplate
  >[0]["whatsapp"];
  await messages.send(new SMS({ ...ends, channel: "sms", messageType: "text", text: "Hello." }));
  await messages.send(new WhatsAppText({ ...ends, text: "Hello." }));
  await messages.send(
    new WhatsAppTemplate({ ...ends, whatsapp: policy, template: { name: "visit", parameters: ["Ada"] } }),
  );
  await messages.send(new WhatsAppCustom({ ...ends, custom: { type: "template", template: inner } }));
  expect(bodies(harness, "/v1/messages").slice(4)).toEqual(ours);
});

test("the vendor's kit places the same call as we do, reads it and ends it", async () => {
  await using harness = await VonageHarness.start();
  const attemptId = randomUUID();
  const dial = { attemptId, workspaceId: "w", from: FROM, to: TO, ringTimeoutSeconds: 45 };
  const result = await harness.account.carrier.dial({ ...dial, eventsUrl: "" }, NEVER);
  expect(result.kind).toBe("ACCEPTED");
  const [ours] = bodies(harness, "/v1/calls") as {
    ncco: Parameters<NCCOBuilder["addAction"]>[0][];
    event_url: string[];
  }[];
  if (!ours) throw new Error("nothing was sent");
  const ncco = new NCCOBuilder();
  for (const action of ours.ncco) ncco.addAction(action);
  const { voice } = openKit(harness);
  const call = new OutboundCallWithNCCO(
    ncco.build(),
    { type: "phone", number: ENDS.to },
    {
      type: "phone",
      number: ENDS.from,
    },
  );
  call.eventUrl = ours.event_url;
  call.eventMethod = "POST" as NonNullable<typeof call.eventMethod>;
  call.machineDetection = MachineDetectionBehavior.CONTINUE;
  call.ringingTimer = 45;
  call.lengthTimer = 7_200;
  const placed = await voice.createOutboundCall(call as Parameters<Voice["createOutboundCall"]>[0]);
  expect(bodies(harness, "/v1/calls")[1]).toEqual(ours);
  expect((await voice.getCall(placed.uuid)).uuid).toBe(placed.uuid);
  await voice.hangupCall(placed.uuid);
  expect(harness.vonage.calls.get(placed.uuid)?.status).not.toBe("ringing");
});
