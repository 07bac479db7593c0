import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type { AccountKeys, CarrierAccount } from "./account.ts";
import { MediaSocketGateway } from "./media-socket-gateway.ts";
import { CARRIER_PROVIDERS } from "./registry.ts";

/* Tests of calls that outlive their opened account, or the process. */

const log = createLog("error", () => undefined);
const ATTEMPT = "0190a0b0-0000-7000-8000-000000000001";
const SID = `CA${"1".repeat(32)}`;
const [FROM, TO] = ["+14155559000", "+14155552001"];
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const KEYS: Record<string, Pick<AccountKeys, "settings" | "secrets">> = {
  TWILIO: { settings: { accountSid: "AC1" }, secrets: { authToken: "token" } },
  TELNYX: { settings: { connectionId: "1", publicKey: "key" }, secrets: { apiKey: "KEY1" } },
  VONAGE: { settings: { apiKey: "a", applicationId: "b" }, secrets: { apiSecret: "c", privateKey } },
};
/** Answer of each carrier about a ringing call, both to the dial and to a look-up. */
const RINGING: Record<string, object> = {
  TWILIO: { sid: SID, status: "ringing" },
  TELNYX: { data: { call_control_id: SID, is_alive: true } },
  VONAGE: { uuid: SID, status: "ringing", from: { number: FROM.slice(1) }, to: { number: TO.slice(1) } },
};

describe.each(CARRIER_PROVIDERS.map((provider) => [provider.name, provider] as const))("%s", (name, provider) => {
  const fetch: SafeFetch = async (_url, { method }) => {
    const status = method === "GET" ? 200 : 201;
    const body = Buffer.from(JSON.stringify(RINGING[name]));
    return { status, headers: {}, body, truncated: false } as Awaited<ReturnType<SafeFetch>>;
  };
  const newGateway = () =>
    new MediaSocketGateway({ publicUrl: "https://parley.example.com", keys: () => [Buffer.alloc(32)] });
  const open = (gateway: MediaSocketGateway): CarrierAccount => {
    const media = gateway.ofAccount("account");
    const parts = {
      fetch,
      publicUrl: "https://parley.example.com",
      media,
      deliver: () => undefined,
      log,
      now: Date.now,
    };
    return provider.open({ id: "account", workspaceId: "w", ...(KEYS[name] as typeof KEYS.TWILIO & object) }, parts);
  };
  const { signal } = new AbortController();
  const dial = ({ carrier }: CarrierAccount) =>
    carrier.dial(
      {
        attemptId: ATTEMPT,
        workspaceId: "w",
        from: FROM,
        to: TO,
        ringTimeoutSeconds: 30,
        eventsUrl: "",
      },
      signal,
    );
  const hasAudio = ({ carrier }: CarrierAccount): boolean => {
    const source = carrier.openMedia?.(SID);
    if (source?.kind === "PORT") source.port.close();
    return Boolean(source);
  };

  test("the audio of a call is there after the keys of its account have changed", async () => {
    const gateway = newGateway();
    expect(await dial(open(gateway))).toEqual({ kind: "ACCEPTED", providerCallId: SID });
    expect(hasAudio(open(gateway))).toBe(true);
  });

  test("a process that goes on with a call which rings expects its audio", async () => {
    const account = open(newGateway());
    const dialledAt = new Date();
    const asked = { attemptId: ATTEMPT, workspaceId: "w", providerCallId: SID, from: FROM, to: TO, dialledAt };
    expect(await account.carrier.lookUp(asked, signal)).toEqual({ kind: "RINGING", providerCallId: SID });
    expect(hasAudio(account)).toBe(true);
  });

  test("an answered call that a process knows nothing of has lost its audio, and nobody has hung up", async () => {
    const { carrier } = open(newGateway());
    expect(carrier.openMedia?.(SID)).toBeNull();
    const line = carrier.openLine(SID);
    expect(await line.listen(1_000, signal)).toMatchObject({ kind: "DROPPED" });
    expect(await line.say("Hello.", signal)).toMatchObject({ heard: "", interrupted: true, hungUp: false });
  });
});
