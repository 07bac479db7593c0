import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { World } from "./world.ts";
it("scratch", async () => {
  await using world = await World.start();
  const flows = await world.request("GET", "/flows");
  const a = await world.call("+12025550102", { contactName: "Ada", contextData: { crm: "42" } });
  const peaks = await world.request("GET", `/call-rows/${a.id}/recording/peaks`);
  const b = await world.call("+12025550113", { retryConfig: { maxAttempts: 2 } });
  const c = await world.call("+12025550106");
  writeFileSync("/tmp/i7/sample.json", JSON.stringify({ flows: flows.body, a, b, c, peaks: peaks.text.slice(0, 600) }, null, 1));
});
