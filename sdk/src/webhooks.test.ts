import { expect, test } from "vitest";
import { webhooks, WebhookVerificationError } from "./client.ts";

const bearer = { mode: "BEARER", secret: "top-secret" } as const;
const custom = { mode: "CUSTOM_HEADER", headerName: "X-My-Key", headerValue: "abc" } as const;

test.each([
  [{ authorization: "Bearer top-secret" }, bearer, true],
  [{ Authorization: "Bearer top-secret" }, bearer, true],
  [{ authorization: "Bearer top-secre" }, bearer, false],
  [{ authorization: "Bearer top-secret2" }, bearer, false],
  [{ authorization: "bearer top-secret" }, bearer, false],
  [{ authorization: "top-secret" }, bearer, false],
  [{}, bearer, false],
  [{ authorization: "Bearer " }, { mode: "BEARER", secret: "" } as const, false],
  [{ "x-my-key": "abc" }, custom, true],
  [{ "x-my-key": "abcabc" }, custom, false],
  [{ "x-my-key": ["abc"] }, custom, true],
  [{ "x-other": "abc" }, custom, false],
  [{ "x-my-key": "" }, { ...custom, headerValue: "" }, false],
  [{}, { mode: "NONE" } as const, true],
])("verify %j with %j is %s", (headers, auth, expected) => {
  expect(webhooks.verify(headers, auth)).toBe(expected);
  const list = Object.entries(headers as Record<string, string | string[]>).map(
    ([name, value]) => [name, String(value)] as [string, string],
  );
  expect(webhooks.verify(new Headers(list), auth)).toBe(expected);
});

test("unwrap gives the event of a genuine delivery and throws for anything else", () => {
  const body = JSON.stringify({ eventId: "e1", eventType: "call_job.completed" });
  const headers = { authorization: "Bearer top-secret" };
  expect(webhooks.unwrap(headers, body, bearer).eventId).toBe("e1");
  expect(() => webhooks.unwrap({}, body, bearer)).toThrow(WebhookVerificationError);
  expect(() => webhooks.unwrap(headers, "{", bearer)).toThrow(WebhookVerificationError);
  expect(() => webhooks.unwrap(headers, '{"eventType":"other"}', bearer)).toThrow(WebhookVerificationError);
  expect(() => webhooks.unwrap(headers, "null", bearer)).toThrow(WebhookVerificationError);
});

test("delivery reads what a receiver de-duplicates on", () => {
  const headers = {
    "X-Service-Event-Type": "call_job.completed",
    "x-service-event-id": "e1",
    "x-service-delivery-attempt": "3",
  };
  expect(webhooks.delivery(headers)).toEqual({ eventType: "call_job.completed", eventId: "e1", attempt: 3 });
});
