import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallHarness } from "../kit/call-harness.ts";
import { World } from "../kit/world.ts";

let world: World;
let harness: CallHarness;
beforeAll(async () => {
  world = await World.start();
  harness = await CallHarness.create(world);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe("search (extension)", () => {
  beforeAll(async () => {
    const items = [
      ["Opening hours", "The clinic is open from Monday to Friday. What is closed on Sunday is the clinic.", null],
      ["Parking", "Parking is free for two hours. The car park is behind the building, and the gate is open.", null],
      ["Payment", "Invoices are paid by card. What the insurance pays is shown on the invoice.", "en"],
      ["营业时间", "我们的营业时间是周一至周五早上八点到下午六点。", null],
      ["Öffnungszeiten", "Die Praxis öffnet um ACHT UHR. ÄRZTE sind immer da.", null],
    ] as const;
    for (const [title, content, language] of items) {
      await harness.settled(await harness.addText(content, { title, language }));
    }
  });

  test("the passage that answers best comes first, with item id, title, position, text and score", async () => {
    const [best, ...rest] = await harness.search("parking");
    expect(best).toMatchObject({ title: "Parking", position: 0, text: expect.stringContaining("car park") });
    expect(rest.every((hit) => hit.score <= (best?.score ?? 0))).toBe(true);
  });

  test("a whole question is answered by its rare words, not by its common ones", async () => {
    expect((await harness.search("What is the price for parking the car at your place?"))[0]?.title).toBe("Parking");
    expect((await harness.search("Is the clinic closed on a sunday or is it not?"))[0]?.title).toBe("Opening hours");
  });

  test("phrases, exclusions and OR work as in web searches", async () => {
    expect((await harness.search('"free for two hours"')).map((hit) => hit.title)).toEqual(["Parking"]);
    expect((await harness.search("open -parking")).map((hit) => hit.title)).toEqual(["Opening hours"]);
    expect((await harness.search("insurance or sunday")).map((hit) => hit.title).sort()).toEqual([
      "Opening hours",
      "Payment",
    ]);
  });

  test("words are taken as they are, and in all their forms where the item names its language", async () => {
    expect((await harness.search("paying invoices")).map((hit) => hit.title)).toEqual(["Payment"]);
    const plain = await CallHarness.create(world);
    await plain.settled(await plain.addText("The clinic is open."));
    expect(await plain.search("clinic")).toHaveLength(1);
    expect(await plain.search("clinics")).toEqual([]);
  });

  test("letters of other alphabets and scripts without spaces are found, whatever their case", async () => {
    expect((await harness.search("营业时间"))[0]?.title).toBe("营业时间");
    expect((await harness.search("周五几点关门"))[0]?.title).toBe("营业时间");
    expect((await harness.search("ärzte"))[0]?.title).toBe("Öffnungszeiten");
  });

  test("limit bounds the passages; 400 for what is no query", async () => {
    expect(await harness.search("open clinic parking invoice", 2)).toHaveLength(2);
    const path = `/agents/${harness.agentId}/knowledge-base/search`;
    expect((await world.request("GET", path)).status).toBe(400);
    expect((await world.request("GET", `${path}?q=a&q=b`)).status).toBe(400);
    expect((await world.request("GET", `${path}?q=a&limit=0`)).status).toBe(400);
    expect((await world.request("GET", `${path}?q=a&limit=99999999999`)).status).toBe(400);
    expect((await world.request("GET", `${path}?q=${"a".repeat(1_001)}`)).status).toBe(400);
  });

  test("no query is an error", async () => {
    const marks = fc.constantFrom(
      "&",
      "|",
      "!",
      "(",
      ")",
      "<->",
      "<2>",
      ":*",
      "'",
      '"',
      "\\",
      "-",
      "or",
      "\u0000",
      "%",
      ":A",
      "open",
    );
    const query = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(marks, { maxLength: 60 }).map((parts) => parts.join(" ")),
      fc.array(marks, { maxLength: 60 }).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(query, async (q) => {
        // A NUL in a query is refused everywhere.
        const hits = await harness.search(q.slice(0, 1_000).replaceAll("\u0000", ""));
        expect(Array.isArray(hits)).toBe(true);
      }),
      {
        numRuns: 200,
        examples: [["'; drop table agents; --"], ["-"], ['"'], ["a ".repeat(500)], ["𝒜 \uffff"]],
      },
    );
  });
});
