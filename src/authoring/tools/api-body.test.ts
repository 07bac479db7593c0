import { describe, expect, test } from "vitest";
import { MASK } from "#src/platform/kernel/mask.ts";
import { cutSecrets, findBodyFaults, maskBody, restoreBody } from "./api-body.ts";

const BODY = {
  apiKey: "sk-canary",
  accessToken: "{{ apiToken }}",
  authorization: "Bearer {{ apiToken }}",
  keywords: ["shoes"],
  max_tokens: 500,
  day: "{{ day }}",
  login: { user: "ada", password: "hunter2", empty: { secret: "" } },
  credentials: [{ name: "a" }, { name: "b" }],
};

describe("a tool's body", () => {
  test("is read without the texts whose name speaks of a credential", () => {
    expect(maskBody(BODY)).toEqual({
      ...BODY,
      apiKey: MASK,
      authorization: MASK,
      login: { user: "ada", password: MASK, empty: { secret: "" } },
      credentials: [{ name: MASK }, { name: MASK }],
    });
  });

  test("sent back as it was read is what it was", () => {
    expect(restoreBody(maskBody(BODY), BODY)).toEqual(BODY);
    expect(findBodyFaults(restoreBody(maskBody(BODY), BODY))).toEqual([]);
  });

  test("a mask that moved, or stands in a list of another length, stands for nothing", () => {
    const sent = { ...maskBody(BODY), login: { token: MASK }, credentials: [{ name: MASK }] };
    const restored = restoreBody(sent, BODY);
    expect(findBodyFaults(restored).map(({ path }) => path)).toEqual([
      "apiBody.login.token",
      "apiBody.credentials.0.name",
    ]);
    expect(restored).toMatchObject({ apiKey: "sk-canary" });
  });

  test("goes into a file without its secrets, which are named", () => {
    const { body, paths } = cutSecrets(BODY);
    expect(body).toEqual({
      accessToken: "{{ apiToken }}",
      keywords: ["shoes"],
      max_tokens: 500,
      day: "{{ day }}",
      login: { user: "ada", empty: { secret: "" } },
      credentials: [{}, {}],
    });
    expect(paths).toEqual([
      "apiBody.apiKey",
      "apiBody.authorization",
      "apiBody.login.password",
      "apiBody.credentials.0.name",
      "apiBody.credentials.1.name",
    ]);
  });
});
