import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";

const BOARD = {
  id: "01a21ae1-4f87-71c7-a190-93223cf2d788",
  name: "Last week",
  filters: { lastDays: 7, channel: "OUTBOUND" },
  cards: ["FUNNEL"],
};
const RESULTS = {
  waiting: 0,
  currency: "USD",
  funnel: {
    calls: 4,
    dialled: 4,
    answeredByMachine: 0,
    answeredByPerson: 3,
    talked: 3,
    succeeded: 2,
    costPerSuccess: null,
  },
  fields: [],
  verdicts: [],
  tools: [{ tool: "book_demo", calls: 3, failed: 2 }],
  askedForHuman: 1,
};

async function startWithBoard(): Promise<FakeSystem> {
  const system = new FakeSystem();
  await system.start(
    ({ url }) => ({
      body: url.pathname.endsWith("/boards") ? [BOARD] : url.pathname.endsWith("/results") ? RESULTS : { content: [] },
    }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  return system;
}

test("results of a board are asked for with its filters, by its name or id", async () => {
  for (const name of [BOARD.name, BOARD.id.toUpperCase()]) {
    await using system = await startWithBoard();
    expect(await system.run("results", "boards", "show", name)).toBe(0);
    expect(Object.fromEntries(system.api.at(-1)?.url.searchParams ?? [])).toEqual({
      lastDays: "7",
      channel: "OUTBOUND",
    });
    expect(system.out).toMatch(/succeeded +2 +50 %/);
    expect(system.out).toMatch(/book_demo +3 +2/);
    expect(system.out).toContain("Asked for a human, in vain: 1");
  }
});

test("boards are listed with their filters; one that is not there is not found, and the others are named", async () => {
  await using system = await startWithBoard();
  expect(await system.run("results", "boards", "list")).toBe(0);
  expect(system.out).toMatch(/Last week +lastDays=7 channel=OUTBOUND +FUNNEL/);
  expect(await system.run("results", "boards", "show", "Last month")).toBe(4);
  expect(system.err).toContain("There are: Last week.");
});

test.each([
  [["calls", "list", "--sort", "-cost"], "-cost"],
  [["jobs", "list", "--sort", "name"], "name"],
  [["jobs", "rows", "j1", "--sort", "latency"], "latency"],
])("parley %j asks the server for that order", async (argv, sort) => {
  await using system = await startWithBoard();
  expect(await system.run(...argv)).toBe(0);
  expect(system.api.at(-1)?.url.searchParams.get("sort")).toBe(sort);
});

test("an order that the list does not have is refused before anything is sent", async () => {
  await using system = await startWithBoard();
  expect(await system.run("jobs", "list", "--sort", "cost")).toBe(2);
  expect(system.api).toEqual([]);
});
