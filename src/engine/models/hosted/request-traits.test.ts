import { expect, test } from "vitest";
import { RefusalMemory } from "./refusal-memory.ts";
import { RequestTraits } from "./request-traits.ts";

const BODY = { max_tokens: 100, temperature: 0 };
const after = () => new Promise((resolve) => setTimeout(resolve, 2));
const unsupported = (parameter: string) => ({ body: BODY, message: `Unsupported parameter: ${parameter}`, parameter });

test("a late refusal of what is known already does not change how an earlier request was sent", async () => {
  const traits = new RequestTraits("https://models.example/v1", "shared", new RefusalMemory());
  const first = performance.now();
  expect(traits.learn({ ...unsupported("max_tokens"), sentAtMs: first })).toBe(true);
  await after();
  const second = performance.now();
  expect(traits.fit(BODY, second)).toEqual({ max_completion_tokens: 100, temperature: 0 });
  await after();
  expect(traits.learn({ ...unsupported("max_tokens"), sentAtMs: first })).toBe(true);
  expect(traits.fit(BODY, second)).toEqual({ max_completion_tokens: 100, temperature: 0 });
  expect(traits.learn({ ...unsupported("max_completion_tokens"), sentAtMs: second })).toBe(true);
  expect(traits.fit(BODY)).toEqual({ temperature: 0 });
});
