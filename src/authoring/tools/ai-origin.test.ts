import { expect, test } from "vitest";
import { readAiOrigin } from "./ai-origin.ts";

const ID = "01a22707-d385-7321-a561-0de6e01b3675";

test("the creator is named with spaces or without", () => {
  for (const text of [ID, `agent=${ID}`, `x; Agent = ${ID.toUpperCase()} ;`])
    expect(readAiOrigin({ "x-service-ai-origin": text })).toEqual({ agentId: ID, flowId: null });
  expect(readAiOrigin({ "x-service-ai-origin": `flow=${ID}, y z` })).toEqual({ agentId: null, flowId: ID });
});

test("a long header holds nobody up", () => {
  const headers = { "x-service-ai-origin": `x,${"\t".repeat(15_000)}a\tb` };
  for (let i = 0; i < 200; i++) expect(readAiOrigin(headers)).toEqual({ agentId: null, flowId: null });
});
