import { expect, test, vi } from "vitest";
import { createLog } from "#src/platform/kernel/log.ts";
import { Drain } from "./drain.ts";

/** Creates a drain of a process with one live call, whose parts note what they are asked. */
function createTrial(drainSeconds = 900) {
  const asked: string[] = [];
  const call = Promise.withResolvers<void>();
  const tunnel = Promise.withResolvers<void>();
  const dispatcher = {
    liveCalls: 1,
    drain: () => void asked.push("dispatcher"),
    sayGoodbye: () => void asked.push("goodbye"),
    untilIdle: () => call.promise,
  };
  const drain = new Drain({
    dispatcher,
    tasks: { drainLongWork: () => void asked.push("long work"), drain: async () => void asked.push("tasks") },
    node: { drain: () => new Promise(() => asked.push("node")) },
    sip: { drain: () => void asked.push("sip") },
    gateway: { drain: () => void asked.push("pages") },
    carrierMedia: { untilNonePasses: () => tunnel.promise },
    log: createLog("silent"),
    drainSeconds,
  });
  let isOver = false;
  void drain.over.then(() => (isOver = true));
  const endCall = () => {
    dispatcher.liveCalls = 0;
    call.resolve();
  };
  return { drain, asked, endCall, endTunnel: () => tunnel.resolve(), isOver: () => isOver };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

test("it waits for live calls, then for tasks, then for the audio that passes to other nodes", async () => {
  const { drain, asked, endCall, endTunnel, isOver } = createTrial();
  expect(drain.status).toEqual({ state: "RUNNING", liveCalls: 1, deadline: null });
  const { deadline } = drain.begin();
  expect(drain.begin()).toEqual({ state: "DRAINING", liveCalls: 1, deadline });
  await settle();
  expect(asked).toEqual(["dispatcher", "long work", "sip", "pages", "node"]);
  endCall();
  await settle();
  expect([asked.at(-1), isOver()]).toEqual(["tasks", false]);
  endTunnel();
  await vi.waitFor(() => expect(isOver()).toBe(true));
  expect(asked).not.toContain("goodbye");
});

test("an earlier deadline counts at once, and calls end with a goodbye", async () => {
  const { drain, asked, endCall, isOver } = createTrial();
  drain.begin();
  await settle();
  const { deadline } = drain.begin(0);
  expect(drain.begin().deadline).toBe(deadline);
  await vi.waitFor(() => expect(asked).toContain("goodbye"));
  expect(isOver()).toBe(false);
  endCall();
  await vi.waitFor(() => expect(isOver()).toBe(true));
});

test("without live calls a deadline of 0 waits for nothing", async () => {
  const { drain, asked, endCall } = createTrial(0);
  endCall();
  drain.begin();
  await drain.over;
  expect(asked).not.toContain("goodbye");
});

test("force ends it whatever is live", async () => {
  const { drain, asked } = createTrial();
  drain.begin();
  drain.force();
  await drain.over;
  expect(asked).not.toContain("goodbye");
  expect(drain.status.state).toBe("DRAINING");
});
