import { expect, it } from "vitest";
import { InTurn } from "./in-turn.ts";

it("does one after the other, goes on after a failure, and refuses the eleventh", async () => {
  const turns = new InTurn();
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  const step = async (name: string) => {
    seen.push(`${name} begins`);
    await gate.promise;
    seen.push(`${name} ends`);
    if (name === "0") throw new Error("broken");
    return name;
  };
  const all = Array.from({ length: 11 }, (_, i) => turns.run(() => step(String(i))));
  await expect(all[10]).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(seen).toEqual(["0 begins"]);
  gate.resolve();
  const ends = await Promise.allSettled(all.slice(0, 10));
  expect(ends.map(({ status }) => status)).toEqual(["rejected", ...Array.from({ length: 9 }, () => "fulfilled")]);
  expect(seen.slice(0, 4)).toEqual(["0 begins", "0 ends", "1 begins", "1 ends"]);
  expect(await turns.run(async () => "later")).toBe("later");
});

it("keeps nobody waiting for long: who is refused is not done later", async () => {
  const turns = new InTurn(20);
  const gate = Promise.withResolvers<void>();
  const first = turns.run(() => gate.promise);
  let wasDone = false;
  await expect(
    turns.run(async () => {
      wasDone = true;
    }),
  ).rejects.toMatchObject({ code: "RATE_LIMITED" });
  gate.resolve();
  await first;
  expect(await turns.run(async () => "next")).toBe("next");
  expect(wasDone).toBe(false);
});
