import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createSigningSecret, isSigningSecret, signWebhook } from "./sign.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY = '{"test": 2432232314}';

describe("webhook signatures", () => {
  test("are the HMAC of id, time and body under the decoded secret", () => {
    const headers = signWebhook({ secret: SECRET, id: "msg_1", timestampSeconds: 1_614_265_330, body: BODY });
    const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const expected = createHmac("sha256", key).update(`msg_1.1614265330.${BODY}`).digest("base64");
    expect(headers).toEqual({
      "webhook-id": "msg_1",
      "webhook-timestamp": "1614265330",
      "webhook-signature": `v1,${expected}`,
    });
  });

  test("are accepted by another implementation, and no longer when anything changes", () => {
    const timestampSeconds = Date.now() / 1000;
    for (const secret of [SECRET, createSigningSecret(), createSigningSecret()]) {
      const body = JSON.stringify({ name: "Zoë 🙂", text: "a.b.c" });
      const headers = { ...signWebhook({ secret, id: "0195-abc", timestampSeconds, body }) };
      const receiver = new Webhook(secret);
      expect(receiver.verify(body, headers)).toEqual({ name: "Zoë 🙂", text: "a.b.c" });
      expect(() => receiver.verify(body.replace("b", "d"), headers)).toThrow();
      expect(() => receiver.verify(body, { ...headers, "webhook-id": "0195-abd" })).toThrow();
      expect(() => new Webhook(createSigningSecret()).verify(body, headers)).toThrow();
    }
  });

  test("are the same for text and for its bytes, with and without the prefix", () => {
    const parts = { secret: SECRET, id: "a", timestampSeconds: 5, body: "grüezi" };
    const expected = signWebhook(parts);
    expect(signWebhook({ ...parts, body: Buffer.from("grüezi") })).toEqual(expected);
    expect(signWebhook({ ...parts, secret: SECRET.slice("whsec_".length) })).toEqual(expected);
  });

  test("need a real secret and an id without a dot", () => {
    const short = `whsec_${Buffer.alloc(16).toString("base64")}`;
    for (const secret of ["", "whsec_", "hunter2", short, `${SECRET}!`, `whsec_${"A".repeat(120)}`]) {
      expect(isSigningSecret(secret)).toBe(false);
      expect(() => signWebhook({ secret, id: "a", timestampSeconds: 1, body: "" })).toThrow("24 to 64 bytes");
    }
    expect(() => signWebhook({ secret: SECRET, id: "a.b", timestampSeconds: 1, body: "" })).toThrow("dot");
  });

  test("come from secrets of 32 random bytes", () => {
    const secrets = Array.from({ length: 20 }, () => createSigningSecret());
    expect(new Set(secrets).size).toBe(20);
    for (const secret of secrets) {
      expect(isSigningSecret(secret)).toBe(true);
      expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
    }
  });
});
