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

test("a missing key is said to be missing, not to be from a profile", async () => {
  await using system = new FakeSystem();
  await system.start(nothing, nothing);
  expect(await system.run("dnc", "list")).toBe(3);
  expect(system.err).toContain(`No API key for ${system.url}. Make a workspace`);
  expect(system.err).not.toContain("The key is from");
  saveProfile(profilePath(system.env), { url: "http://127.0.0.1:9", apiKey: "svc_live_profile" });
  system.err = "";
  system.env.PARLEY_URL = system.url;
  expect(await system.run("dnc", "list")).toBe(3);
  expect(system.err).toContain(
    "Keys are kept for http://127.0.0.1:9: PARLEY_URL chooses one of them. Make a workspace",
  );
});

test("PARLEY_URL may be the API's address as the server prints it, and must be an address", async () => {
  await using system = new FakeSystem();
  await system.start(refuse, nothing);
  saveProfile(profilePath(system.env), { url: system.url, apiKey: "svc_live_profile" });
  system.env.PARLEY_URL = `${system.url}/api/external/v1/`;
  expect(await system.run("dnc", "list")).toBe(3);
  expect(system.api[0]?.url.pathname).toBe("/api/external/v1/do-not-call");
  system.env.PARLEY_URL = system.url.replace("http://", "");
  expect(await system.run("dnc", "list")).toBe(2);
  expect(system.err).toContain("PARLEY_URL must be an address such as https://parley.example.com");
});
