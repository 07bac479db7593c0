import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

test("the list is a bare array with status, provider information and live calls", async () => {
  const { body } = await world.request("GET", "/phone-numbers");
  expect(body).toHaveLength(3);
  expect(body).toMatchObject([
    {
      phoneNumber: "+12025550190",
      status: "ACTIVE",
      isDefault: true,
      currentActiveCalls: 0,
      providerInfo: { name: "SANDBOX" },
    },
    { phoneNumber: "+12025550191", maxConcurrentCalls: 1 },
    { phoneNumber: "+12025550192", status: "SUSPENDED" },
  ]);
});

test("a number as it was read can be sent back; what is the service's to set cannot be set", async () => {
  const made = await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX" } });
  const path = `/phone-numbers/${String(made.body.id)}`;
  const list = (await world.request("GET", "/phone-numbers")).body as unknown as Record<string, unknown>[];
  const read = list.find(({ id }) => id === made.body.id) as Record<string, unknown>;
  expect(read.sipTrunk).toBeNull();
  const kept = await world.request("PUT", path, { body: read });
  expect([kept.status, kept.body]).toEqual([200, { ...read, updatedAt: expect.any(String) as string }]);
  const failed = await world.request("PUT", path, { body: { status: "FAILED" } });
  expect([failed.status, failed.body.details]).toMatchObject([422, [{ path: "status" }]]);
  await world.database.query("update phone_numbers set status = 'FAILED', status_message = 'no' where id = $1", [
    made.body.id,
  ]);
  const again = await world.request("PUT", path, { body: { ...read, status: "FAILED" } });
  expect(again.body, again.text).toMatchObject({ status: "FAILED", statusMessage: "no" });
  expect((await world.request("DELETE", path)).status).toBe(200);
});

test("a number is added, changed and released with 200 and no body", async () => {
  const made = await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX", maxConcurrentCalls: 3 } });
  expect([made.status, made.body.maxConcurrentCalls]).toEqual([200, 3]);
  const path = `/phone-numbers/${String(made.body.id)}`;
  const changed = await world.request("PUT", path, { body: { label: "Desk", maxConcurrentCalls: 5 } });
  expect(changed.body).toMatchObject({ label: "Desk", maxConcurrentCalls: 5, status: "ACTIVE" });
  const gone = await world.request("DELETE", path);
  expect([gone.status, gone.text]).toEqual([200, ""]);
  expect((await world.request("DELETE", path)).status).toBe(404);
  const again = await world.request("POST", "/phone-numbers", {
    body: { provider: "SANDBOX", phoneNumber: made.body.phoneNumber },
  });
  expect(again.status).toBe(200);
});

test("a number comes from one of three carriers or a trunk of one's own; in a SANDBOX workspace they are simulated", async () => {
  for (const provider of ["TWILIO", "TELNYX", "VONAGE"]) {
    const made = await world.request("POST", "/phone-numbers", { body: { provider, countryCode: "GB" } });
    expect([made.status, made.body.provider, made.body.status]).toEqual([200, provider, "ACTIVE"]);
    expect(made.body.providerInfo).toEqual({ name: provider, externalId: null, region: "GB", simulated: true });
  }
  const own = await world.request("POST", "/phone-numbers", {
    body: {
      provider: "BYO_SIP",
      phoneNumber: "+4930901820",
      sipTrunk: { host: "sip.example.com", transport: "TLS", username: "ada", password: "s3cret-trunk" },
    },
  });
  expect(own.status, own.text).toBe(200);
  const trunk = { host: "sip.example.com", port: 5061, transport: "TLS", username: "ada", registrationRequired: false };
  const audio = { srtp: "OPTIONAL", codecs: ["PCMU", "PCMA"], rtpSources: [] };
  expect(own.body.sipTrunk).toEqual({ ...trunk, ...audio, password: "********" });
  const call = await world.call("+12025550100", { fromPhoneNumber: "+4930901820" });
  expect([call.outcome, call.fromPhoneNumber]).toEqual(["ANSWERED", "+4930901820"]);
});

test("a trunk's password is stored sealed, masked when read, and kept when the mask is sent back", async () => {
  const sipTrunk = { host: "sip.example.com", username: "bo", password: "hunter2-hunter2" };
  const made = await world.request("POST", "/phone-numbers", {
    body: { provider: "BYO_SIP", phoneNumber: "+4930901821", sipTrunk },
  });
  const path = `/phone-numbers/${String(made.body.id)}`;
  const stored = async () => {
    const [row] = await world.database.query<{ text: string; sip_secret: Buffer }>(
      "select sip_trunk::text || encode(sip_secret, 'escape') as text, sip_secret from phone_numbers where number = '+4930901821'",
    );
    return row as { text: string; sip_secret: Buffer };
  };
  const before = await stored();
  expect(before.text).not.toContain("hunter2");
  const changed = await world.request("PUT", path, {
    body: { sipTrunk: { ...sipTrunk, password: "********", port: 5070 } },
  });
  expect(changed.body.sipTrunk).toMatchObject({ port: 5070, password: "********" });
  expect((await stored()).sip_secret).toEqual(before.sip_secret);
});

test("a trunk's password must be sent again for another host: whoever has it could answer challenges with it", async () => {
  const sipTrunk = { host: "sip.example.com", username: "cy", password: "hunter2-hunter2" };
  const made = await world.request("POST", "/phone-numbers", {
    body: { provider: "BYO_SIP", phoneNumber: "+4930901824", sipTrunk },
  });
  const put = (more: object) =>
    world.request("PUT", `/phone-numbers/${String(made.body.id)}`, { body: { sipTrunk: { ...sipTrunk, ...more } } });
  const refused = await put({ host: "evil.example", password: "********" });
  expect([refused.status, refused.body.details]).toMatchObject([
    422,
    [{ path: "sipTrunk.password", code: "REQUIRED" }],
  ]);
  expect((await put({ host: "SIP.example.com", password: "********" })).status).toBe(200);
  expect((await put({ host: "evil.example", password: null })).body.sipTrunk).toMatchObject({ password: null });
  expect((await put({ host: "sip.example.com" })).body.sipTrunk).toMatchObject({ password: "********" });
});

test("422 names the field: a trunk without a number, a trunk of a carrier, a number that cannot be called from", async () => {
  const sipTrunk = { host: "sip.example.com" };
  const cases: [Record<string, unknown>, string][] = [
    [{ provider: "BYO_SIP", phoneNumber: "+4930901822" }, "sipTrunk"],
    [{ provider: "BYO_SIP", sipTrunk }, "phoneNumber"],
    [{ provider: "TWILIO", sipTrunk }, "sipTrunk"],
    [{ provider: "TWILIO", phoneNumber: "+19112025" }, "phoneNumber"],
    [{ provider: "SANDBOX", phoneNumber: "+4930901820" }, "phoneNumber"],
    [{ provider: "SANDBOX", countryCode: "FR" }, "countryCode"],
    [{ provider: "BYO_SIP", phoneNumber: "+4930901823", sipTrunk: { host: "http://x/" } }, "sipTrunk.host"],
    ...["192.0.2.0/33", "example.com", "192.0.2.0/", "::1/129", ""].map((range): [Record<string, unknown>, string] => [
      {
        provider: "BYO_SIP",
        phoneNumber: "+4930901823",
        sipTrunk: { ...sipTrunk, rtpSources: ["2001:db8::/32", range] },
      },
      "sipTrunk.rtpSources.1",
    ]),
    [
      { provider: "BYO_SIP", phoneNumber: "+4930901823", sipTrunk: { ...sipTrunk, password: "********" } },
      "sipTrunk.password",
    ],
  ];
  for (const [body, path] of cases) {
    const reply = await world.request("POST", "/phone-numbers", { body });
    const [fault] = reply.body.details as { path: string }[];
    expect([reply.status, fault?.path], JSON.stringify(body)).toEqual([422, path]);
  }
  expect((await world.request("POST", "/phone-numbers", { body: { provider: "ACME" } })).status).toBe(422);
});

test("a LIVE workspace needs the carrier's account on this server: 422 names the carrier", async () => {
  const live = await world.operator("workspace.create", { name: "Live", mode: "LIVE" });
  const reply = await world.request("POST", "/phone-numbers", {
    key: live.apiKey as string,
    body: { provider: "TWILIO", phoneNumber: "+12025550123" },
  });
  expect([reply.status, reply.text]).toEqual([422, expect.stringContaining("TWILIO") as string]);
});

test("the default number moves with isDefault", async () => {
  const made = await world.request("POST", "/phone-numbers", {
    body: { provider: "SANDBOX", phoneNumber: "+61255500193", isDefault: true },
  });
  expect(made.body.isDefault).toBe(true);
  const path = `/phone-numbers/${String(made.body.id)}`;
  expect((await world.request("PUT", path, { body: { isDefault: false } })).body.isDefault).toBe(false);
  const refused = await world.request("POST", "/outbound/calls", { body: { customerNumber: "+12025550100" } });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("NO_DEFAULT_NUMBER") as string]);
  await world.request("PUT", `/phone-numbers/${world.sample.phoneNumber.id}`, { body: { isDefault: true } });
});

test("409 while a call is live on it, and the count of live calls tells why", async () => {
  const slow = await world.createWorkspace({ speed: 1 });
  const body = { customerNumber: "+12025550180" };
  const placed = await world.request("POST", "/outbound/calls", { key: slow.apiKey, body });
  expect(placed.status).toBe(200);
  const path = `/phone-numbers/${slow.phoneNumber.id}`;
  for (;;) {
    const { body: numbers } = await world.request("GET", "/phone-numbers", { key: slow.apiKey });
    const [number] = numbers as unknown as { currentActiveCalls: number; activeOutboundCalls: number }[];
    if (number?.currentActiveCalls === 1) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const refused = await world.request("DELETE", path, { key: slow.apiKey });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("1 live") as string]);
});

test("409 for one the workspace has, and while calls are queued on it", async () => {
  const taken = await world.request("POST", "/phone-numbers", {
    body: { provider: "SANDBOX", phoneNumber: "+12025550190" },
  });
  expect(taken.status).toBe(409);
  const made = await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX" } });
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const rows = [{ customerNumber: "+12025550100" }];
  await world.request("POST", "/call-jobs", { body: { rows, startAt, fromPhoneNumber: made.body.phoneNumber } });
  const refused = await world.request("DELETE", `/phone-numbers/${String(made.body.id)}`);
  expect([refused.status, refused.body.code]).toEqual([409, "CONFLICT"]);
});

test("409 while the list of a job on it is being read", async () => {
  const made = await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX" } });
  const remove = () => world.request("DELETE", `/phone-numbers/${String(made.body.id)}`);
  const rows = [{ customerNumber: "+12025550100" }];
  const body = {
    rows,
    fromPhoneNumber: made.body.phoneNumber,
    startAt: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const job = await world.request("POST", "/call-jobs", { body });
  // As while a large file is read: its lanes open at the end.
  await world.database.query("delete from lanes where job_id = $1", [job.body.id]);
  const setStatus = "update call_jobs set status = $2 where id = $1";
  await world.database.query(setStatus, [job.body.id, "IMPORTING"]);
  const refused = await remove();
  expect([refused.status, refused.body.code]).toEqual([409, "CONFLICT"]);
  await world.database.query(setStatus, [job.body.id, "FAILED"]);
  expect((await remove()).status).toBe(200);
});

test("a number tells who answered its dials, as the results do, and at which pace it calls", async () => {
  const made = await world.request("POST", "/phone-numbers", {
    body: { provider: "SANDBOX", phoneNumber: "+61255500197", callsPerSecond: 2.5 },
  });
  expect(made.body).toMatchObject({ answerRate7d: null, machineRate7d: null, callsPerSecond: 2.5, suspendedBy: null });
  for (const code of ["00", "00", "20", "10"]) {
    await world.call(`+120255501${code}`, {
      fromPhoneNumber: "+61255500197",
      retryConfig: { maxAttempts: 1 },
    });
  }
  const read = async () => {
    const { body } = await world.request("GET", "/phone-numbers");
    return (body as unknown as Record<string, unknown>[]).find((row) => row.id === made.body.id);
  };
  const query = `channel=OUTBOUND&lastDays=7&phoneNumberId=${String(made.body.id)}`;
  const results = await world.until(`/results?${query}`, ({ waiting }) => waiting === 0);
  expect(results.numbers).toMatchObject([{ dials: 4, answerRate: 0.5 }]);
  expect(await read()).toMatchObject({ answerRate7d: 0.5, machineRate7d: 0.25, activeInboundCalls: 0 });
  const path = `/phone-numbers/${String(made.body.id)}`;
  const changed = await world.request("PUT", path, { body: { callsPerSecond: null, status: "SUSPENDED" } });
  expect(changed.body).toMatchObject({ callsPerSecond: null, status: "SUSPENDED", suspendedBy: "OPERATOR" });
  const again = await world.request("PUT", path, { body: { status: "ACTIVE" } });
  expect(again.body).toMatchObject({ status: "ACTIVE", suspendedBy: null });
});

test("of the calls that wait for a number a thousand are counted, and no more", async () => {
  const made = await world.request("POST", "/phone-numbers", {
    body: { provider: "SANDBOX", phoneNumber: "+61255500198" },
  });
  const queued = async () => {
    const { body } = await world.request("GET", "/phone-numbers");
    return (body as unknown as Record<string, unknown>[]).find(({ id }) => id === made.body.id)?.queuedCalls;
  };
  const place = async (calls: number) => {
    const rows = Array.from({ length: calls }, (_, i) => ({ customerNumber: `+1415555${1000 + i}` }));
    const startAt = new Date(Date.now() + 86_400_000).toISOString();
    const body = { rows, flowId: world.sample.flow.id, startAt, fromPhoneNumbers: ["+61255500198"] };
    const job = await world.request("POST", "/call-jobs", { body });
    expect(job.status, job.text).toBe(200);
  };
  await place(600);
  expect(await queued()).toBe(600);
  await place(600);
  expect(await queued()).toBe(1_000);
});
