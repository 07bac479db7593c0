import { expect, test } from "vitest";
import type { AskedMessage } from "./messenger.ts";
import {
  createSandboxMessenger,
  type SandboxLedger,
  type SandboxMessage,
  type SimulatedMessage,
} from "./sandbox-messenger.ts";

const signal = new AbortController().signal;

function createLedger(): SandboxLedger & { taken: Map<string, SandboxMessage> } {
  const taken = new Map<string, SandboxMessage>();
  return {
    taken,
    async record({ workspaceId, messageId, channel, to, sandboxSpeed }, providerMessageId) {
      const key = `${workspaceId}|${messageId}`;
      const speed = sandboxSpeed === "instant" ? null : sandboxSpeed;
      const found = taken.get(key) ?? { providerMessageId, channel, to, speed, ageMs: 0 };
      taken.set(key, found);
      return found;
    },
    find: async (workspaceId, messageId) => taken.get(`${workspaceId}|${messageId}`),
  };
}

function asked(workspaceId: string, messageId: string): AskedMessage {
  const numbers = { from: "+12025550190", to: "+12025550100" };
  return { workspaceId, messageId, providerMessageId: null, channel: "SMS", ...numbers, text: "Hi", sentAt: null };
}

function messageTo(to: string, more: Partial<SimulatedMessage> = {}): SimulatedMessage {
  const base = { workspaceId: "w", messageId: "m", channel: "SMS", from: "+12025550190", to, text: "Hi" } as const;
  return { ...base, template: null, opens: true, attempt: 1, sandboxSpeed: 1, ...more };
}

test("a message is taken once by its id, and told apart by workspace", async () => {
  const ledger = createLedger();
  const messenger = createSandboxMessenger(ledger);
  const first = await messenger.send(messageTo("+12025550100"), signal);
  expect(first).toMatchObject({ kind: "ACCEPTED" });
  expect(await messenger.send(messageTo("+12025550100", { attempt: 2 }), signal)).toEqual(first);
  expect(ledger.taken.size).toBe(1);
  expect(await messenger.lookUp(asked("w", "other"), signal)).toEqual({ kind: "ABSENT" });
  expect(await messenger.lookUp(asked("v", "m"), signal)).toEqual({ kind: "ABSENT" });
});

test.each([
  ["SMS", 999, "SENT", false],
  ["SMS", 1_000, "DELIVERED", true],
  ["WHATSAPP", 1_000, "DELIVERED", false],
  ["WHATSAPP", 3_000, "READ", true],
] as const)("%s after %d ms is %s", async (channel, ageMs, status, isFinal) => {
  const ledger = createLedger();
  const messenger = createSandboxMessenger(ledger);
  await messenger.send(messageTo("+12025550100", { channel }), signal);
  for (const entry of ledger.taken.values()) entry.ageMs = ageMs;
  expect(await messenger.lookUp(asked("w", "m"), signal)).toMatchObject({ kind: "FOUND", status, isFinal });
});

test.each([
  ["+12025550130", { kind: "REFUSED", code: "INVALID_NUMBER", retryable: false }],
  ["+12025550140", { kind: "REFUSED", code: "UNAVAILABLE", retryable: true }],
  ["+12025550141", { kind: "REFUSED", code: "THROTTLED", retryable: true }],
  ["+12025550142", { kind: "REFUSED", code: "CREDENTIALS", retryable: false }],
])("%s takes nothing and says why", async (to, answer) => {
  const ledger = createLedger();
  const messenger = createSandboxMessenger(ledger);
  expect(await messenger.send(messageTo(to), signal)).toMatchObject(answer);
  expect(ledger.taken.size).toBe(0);
});

test.each(["+12025550145", "+12025550146"])("%s takes the message without telling so", async (to) => {
  const messenger = createSandboxMessenger(createLedger());
  expect(await messenger.send(messageTo(to), signal)).toMatchObject({ kind: "UNCERTAIN" });
  expect(await messenger.lookUp(asked("w", "m"), signal)).toMatchObject({ kind: "FOUND", status: "SENT" });
});

test("a phone that is switched off is never reached, and one without reports stays SENT", async () => {
  const messenger = createSandboxMessenger(createLedger());
  await messenger.send(messageTo("+12025550131", { sandboxSpeed: "instant" }), signal);
  expect(await messenger.lookUp(asked("w", "m"), signal)).toMatchObject({
    status: "FAILED",
    error: { code: "UNREACHABLE" },
  });
  await messenger.send(messageTo("+12025550144", { messageId: "n", sandboxSpeed: "instant" }), signal);
  expect(await messenger.lookUp(asked("w", "n"), signal)).toMatchObject({ status: "SENT", isFinal: false });
});

test("a ledger that cannot be reached proves nothing", async () => {
  const broken = { record: () => Promise.reject(new Error("gone")), find: () => Promise.reject(new Error("gone")) };
  const messenger = createSandboxMessenger(broken);
  expect(await messenger.send(messageTo("+12025550100"), signal)).toMatchObject({ kind: "UNCERTAIN" });
  expect(await messenger.lookUp(asked("w", "m"), signal)).toMatchObject({ kind: "UNCERTAIN" });
});
