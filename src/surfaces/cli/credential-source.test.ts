import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";
import { profilePath, saveProfile } from "./profile.ts";

const refuse = () => ({ status: 401, body: { error: "Unauthorized", message: "The credential is not valid." } });
const nothing = () => ({ body: {} });

test("a refused key is named by the variable or the profile that it is from, and never shown", async () => {
  await using system = new FakeSystem();
  await system.start(refuse, nothing);
  system.env.PARLEY_API_KEY = "svc_live_variable";
  expect(await system.run("dnc", "list")).toBe(3);
  expect(system.err).toContain("The key is from PARLEY_API_KEY.");
  system.env.PARLEY_API_KEY = undefined;
  const path = profilePath(system.env);
  saveProfile(path, { url: system.url, apiKey: "svc_live_profile" });
  expect(await system.run("dnc", "list")).toBe(3);
  expect(system.err).toContain(`The key is from the profile ${path}.`);
  system.err = "";
  expect(await system.run("dnc", "list", "--json", "--profile", path)).toBe(3);
  expect(JSON.parse(system.err)).toMatchObject({ status: 401, credential: `the profile ${path}` });
  expect(system.err).not.toContain("svc_live");
});
