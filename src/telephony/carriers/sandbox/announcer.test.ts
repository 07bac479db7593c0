import { describe, expect, test } from "vitest";
import { dialTo, EventLog, placeTrialCall } from "#kit/trial-sandbox-call.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { Announcer, type AnnouncedCall } from "./announcer.ts";
import type { ChaosOptions } from "./chaos.ts";
import { SandboxExchange } from "./exchange.ts";
import { createSandboxCarrier } from "./sandbox-carrier.ts";
import type { SandboxSpeed } from "./sandbox-dial.ts";

const CALL: AnnouncedCall = {
  eventsUrl: "http://127.0.0.1:9/",
  speed: "instant",
  everyEventTwice: false,
  outOfOrder: false,
};

function eventOf(type: "RINGING" | "ANSWERED" | "ENDED", attemptId = "a1"): CarrierEvent {
  const stamp = {
    eventKey: `${attemptId}:${type}`,
    attemptId,
    providerCallId: `sbx-${attemptId}`,
    at: "2031-01-01T00:00:00.000Z",
  };
  if (type === "ANSWERED") return { type, answeredBy: "HUMAN", ...stamp };
  if (type === "RINGING") return { type, ...stamp };
  return { type, outcome: "ANSWERED", hungUpBy: "AGENT", sipCode: null, reason: "", ...stamp };
}

async function runCalls(
  chaos: ChaosOptions | undefined,
  numbers: string[],
  speed: SandboxSpeed = "instant",
): Promise<EventLog> {
  const log = new EventLog();
  const exchange = await SandboxExchange.open({ deliver: (event) => log.put(event), chaos });
  await Promise.all(numbers.map((to, i) => exchange.dial(dialTo(to, `a${i}`, { sandboxSpeed: speed }))));
  // Longer than the delay of a late event, and long enough for a few turns of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 60));
  await Promise.all(numbers.map((_, i) => exchange.hangUp(`sbx-a${i}`)));
  await new Promise((resolve) => setTimeout(resolve, 60));
  await exchange.close();
  return log;
}

const FORTY = Array.from({ length: 40 }, () => "+12025550100");

describe("announcing", () => {
  test("47 sends every event twice with one key", async () => {
    const log = await runCalls(undefined, ["+12025550147"]);
    expect(log.typesOf("a0").toSorted()).toEqual(["ANSWERED", "ANSWERED", "ENDED", "ENDED", "RINGING", "RINGING"]);
    expect(new Set(log.events.map((event) => event.eventKey)).size).toBe(3);
  });

  test("48 sends the answer late, and the ring and the answer once more after the end", async () => {
    const log = await runCalls(undefined, ["+12025550148"]);
    expect(log.typesOf("a0")).toEqual(["ANSWERED", "ENDED", "ANSWERED", "RINGING"]);
  });

  test("a receiver that fails at first gets the event in the end", async () => {
    let failures = 2;
    const taken: string[] = [];
    const done = Promise.withResolvers<undefined>();
    const announcer = new Announcer(
      async (event) => {
        if (failures-- > 0) throw new Error("not yet");
        taken.push(event.eventKey);
        done.resolve(undefined);
      },
      undefined,
      undefined,
    );
    announcer.announce(eventOf("ENDED"), CALL);
    await done.promise;
    expect(taken).toEqual(["a1:ENDED"]);
  });
});

describe("chaos", () => {
  test("does the same with the same seed, and something else with another", async () => {
    const chaos = { duplicate: 0.3, lose: 0.3 };
    const first = await runCalls({ seed: "s1", ...chaos }, FORTY);
    const again = await runCalls({ seed: "s1", ...chaos }, FORTY);
    const other = await runCalls({ seed: "s2", ...chaos }, FORTY);
    const typesOf = (log: EventLog): string[][] => FORTY.map((_, i) => log.typesOf(`a${i}`));
    expect(typesOf(again)).toEqual(typesOf(first));
    expect(typesOf(other)).not.toEqual(typesOf(first));
  });

  test("loses and doubles about as many events as asked for", async () => {
    const lost = await runCalls({ seed: "s", lose: 0.5 }, FORTY);
    expect(lost.events.length).toBeGreaterThan(35);
    expect(lost.events.length).toBeLessThan(85);
    const doubled = await runCalls({ seed: "s", duplicate: 1 }, FORTY);
    expect(doubled.events).toHaveLength(240);
  });

  test("a lost event can still be learned by a look-up", async () => {
    const exchange = await SandboxExchange.open({ deliver: () => expect.unreachable(), chaos: { seed: "s", lose: 1 } });
    await exchange.dial(dialTo("+12025550110", "a1"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await exchange.lookUp("a1")).toMatchObject({ kind: "ENDED", event: { outcome: "BUSY" } });
    await exchange.close();
  });

  test("reordered events still all come, the held ones after what followed them", async () => {
    const log = await runCalls({ seed: "s", reorder: 1 }, ["+12025550110"]);
    expect(log.typesOf("a0")).toEqual(["ENDED", "RINGING"]);
  });

  test("late events come after the dial's answer and after the end", async () => {
    const log = new EventLog();
    const exchange = await SandboxExchange.open({ deliver: (event) => log.put(event), chaos: { seed: "s", late: 1 } });
    await exchange.dial(dialTo("+12025550110", "a1"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(log.events).toEqual([]);
    expect(await exchange.lookUp("a1")).toMatchObject({ kind: "ENDED" });
    await log.wait("a1", "ENDED");
    await exchange.close();
  });

  test("dials that time out or fail after being accepted still ring", async () => {
    const log = new EventLog();
    const chaos = { seed: "s", acceptThenTimeout: 0.5, errorAfterAccept: 0.5 };
    const exchange = await SandboxExchange.open({ deliver: (event) => log.put(event), chaos });
    const carrier = createSandboxCarrier({ exchange });
    const calls = await Promise.all(FORTY.map((to, i) => placeTrialCall(carrier, log, dialTo(to, `a${i}`), [])));
    const uncertain = calls.filter((call) => call.dial.kind === "UNCERTAIN");
    expect(uncertain.length).toBeGreaterThan(15);
    expect(uncertain.length).toBeLessThan(40);
    for (let i = 0; i < FORTY.length; i++) expect(log.typesOf(`a${i}`)).toContain("RINGING");
    await exchange.close();
  });
});
