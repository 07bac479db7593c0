import { expect, it } from "vitest";
import { Turns } from "#src/platform/kernel/turns.ts";
import { forecastInTurn } from "./rehearsals.ts";

it("makes one forecast at a time, refuses a workspace's sixth, and takes another's next", async () => {
  const turns = new Turns({ slots: 1 });
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const forecast = (workspaceId: string) =>
    forecastInTurn(turns, workspaceId, async () => {
      begun.push(workspaceId);
      await gate.promise;
      return workspaceId;
    });
  const noisy = Array.from({ length: 6 }, () => forecast("noisy"));
  await expect(noisy.pop()).rejects.toMatchObject({ code: "RATE_LIMITED" });
  const quiet = forecast("quiet");
  expect(begun).toEqual(["noisy"]);
  gate.resolve();
  expect(await quiet).toBe("quiet");
  await Promise.all(noisy);
  expect(begun.slice(0, 2)).toEqual(["noisy", "quiet"]);
});

it("keeps nobody waiting for long: who is refused is not done later", async () => {
  const turns = new Turns({ slots: 1 });
  const gate = Promise.withResolvers<void>();
  const first = forecastInTurn(turns, "a", () => gate.promise);
  let wasDone = false;
  const refused = forecastInTurn(turns, "b", async () => void (wasDone = true), 20);
  await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED" });
  gate.resolve();
  await first;
  expect(wasDone).toBe(false);
});
