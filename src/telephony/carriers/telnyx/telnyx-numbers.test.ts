import { expect, test } from "vitest";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import { telnyxProvider } from "./telnyx-provider.ts";

const NUMBER = "+14155559000";

/** Orders a number for an account that shows no number yet. */
function buy(order: object) {
  const log = createLog("error", () => undefined);
  const publicUrl = "https://parley.example.com";
  const fetch: SafeFetch = async (_url, { method }) => {
    const body = Buffer.from(JSON.stringify({ data: method === "POST" ? order : [] }));
    return { status: 200, headers: {}, body, truncated: false } as Awaited<ReturnType<SafeFetch>>;
  };
  const media = new MediaSocketGateway({ publicUrl, keys: () => [Buffer.alloc(32)] });
  const parts = { fetch, publicUrl, media, deliver: () => undefined, log, now: Date.now };
  const account = telnyxProvider.open({ id: "a", workspaceId: "w", settings: {}, secrets: {} }, parts);
  return account.numbers.buy(NUMBER, new AbortController().signal);
}

test("an order that is done is no refusal while the account does not show its number yet", async () => {
  expect(await buy({ id: "o", status: "success" })).toMatchObject({ kind: "UNCERTAIN" });
});

test("an order that waits for papers may still bring the number", async () => {
  const order = { id: "o", status: "pending", requirements_met: false };
  expect(await buy(order)).toMatchObject({ kind: "REFUSED", mayStillCome: true });
});
