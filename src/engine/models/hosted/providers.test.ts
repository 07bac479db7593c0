import { expect, test, vi } from "vitest";
import { openHostedModel } from "./providers.ts";

let failures = 0;
const asked = vi.fn<() => Promise<never>>(() => Promise.reject(new Error("was asked")));
vi.mock("@ai-sdk/google", () => ({
  createGoogle: () => {
    if (failures-- > 0) throw new Error("EMFILE: too many open files");
    return { chat: () => ({ doStream: asked }) };
  },
}));

const SETTINGS = { provider: "GOOGLE", apiKey: "key", model: "gemini", baseUrl: null, temperature: null } as const;
const none = () => Promise.reject(new Error("Nothing is fetched."));

async function ask(model: ReturnType<typeof openHostedModel>): Promise<void> {
  const messages = [{ role: "USER" as const, content: "Hello?" }];
  const signal = AbortSignal.timeout(20_000);
  for await (const _ of model.respond({ messages, tools: [], outputs: [], language: "en", signal }));
}

test.each([1, 2])("a model whose library could not be loaded %i times is opened again, and once", async (times) => {
  failures = times;
  asked.mockClear();
  const model = openHostedModel(SETTINGS, none);
  await expect.poll(() => failures).toBe(times - 1);
  for (let left = times - 1; left > 0; left--) await expect(ask(model)).rejects.toThrow("EMFILE");
  expect(asked).not.toHaveBeenCalled();
  for (let i = 0; i < 2; i++) await expect(ask(model)).rejects.toThrow("was asked");
  expect([asked.mock.calls.length, failures]).toEqual([2, -1]);
});
