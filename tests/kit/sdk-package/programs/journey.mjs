// Runs in every runtime against a real server, on the packed SDK that it is given; returns what it saw.

/** A person's way through the SDK: a call, a job, lists, an upload, a download, an error, a webhook. */
export async function journey(sdk, settings) {
  const { Parley, NotFoundError } = sdk;
  const parley = new Parley({ baseUrl: settings.url, apiKey: settings.apiKey });
  const call = await parley.calls.createAndWait({ customerNumber: "+12025550100" }, { waitTimeoutMs: 60_000 });
  const csv = new Blob(["customerNumber\n+12025550100\n+12025550101\n"]).stream();
  const job = await parley.jobs.createFromCsv(csv, { name: "journey" });
  let last;
  for await (const state of parley.jobs.progress(job.id)) last = state;
  const rows = [];
  for await (const row of parley.jobs.rows(job.id, { size: 1 })) rows.push(row.customerNumber);
  const file = settings.file ?? new File(["We are open from 8 to 5."], "hours.txt", { type: "text/plain" });
  const uploaded = await parley.knowledgeBase.uploadFile(settings.agentId, { file });
  const recording = await parley.calls.recording(call.id);
  const sound = new Uint8Array(await recording.arrayBuffer());
  const missing = await parley.calls.get("00000000-0000-4000-8000-000000000000").catch((error) => error);
  return {
    call: call.status,
    said: call.transcript.length > 1,
    job: last.status,
    rows,
    uploaded: uploaded.fileName,
    sound: String.fromCharCode(...sound.subarray(0, 4)),
    missing: [missing instanceof NotFoundError, missing.status, missing.name, typeof missing.requestId],
    webhooks: await verifyAll(sdk, settings.deliveries),
  };
}

/** Names the deliveries whose event was given, and those that were refused. */
async function verifyAll({ webhooks, WebhookVerificationError }, deliveries) {
  const seen = {};
  for (const { name, headers, body, secret } of deliveries) {
    seen[name] = await webhooks.verify(headers, new TextEncoder().encode(body), { signingSecret: secret }).then(
      (event) => event.eventId,
      (error) => (error instanceof WebhookVerificationError ? "refused" : String(error)),
    );
  }
  return seen;
}
