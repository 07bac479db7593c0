import type { TestReply, World } from "../../world.ts";

/** Ids that open the objects in the pictures. */
export interface GalleryContent {
  toolId: string;
  outputId: string;
  doneJobId: string;
  callId: string;
  chatId: string;
  contactId: string;
  simulationId: string;
}

const PEOPLE = [
  "Ada Okafor",
  "Bo Lindqvist",
  "Carmen Ruiz",
  "Dmitri Volkov",
  "Elif Yılmaz",
  "Farid Haddad",
  "Grace Kim",
  "Hannah Weiß",
  "Ivo Petrov",
  "Jonas Müller",
  "Keiko Tanaka",
  "Liam O’Brien",
  "Mariam Diallo",
  "Noor de Vries",
  "אדם כהן",
  "Priya Nair",
  "Quentin Laurent",
  "Rosa Bianchi",
  "Samuel Mensah",
  "Tove Nilsen",
];
/** Area codes; 555 01nn is set aside for fiction in each, and the sandbox answers by a hash of the number. */
const AREAS = [206, 212, 303, 312, 404, 415, 503, 512, 602, 617, 702, 713, 808, 907];
/** Number whose person asks questions, so that a tool is called. */
const ASKS = "+12025550102";

const PROMPT = `You call for **{{ company | default: "Green Street Clinic" }}** about an appointment.

1. Say that this is an automated call, and on whose behalf.
2. Ask {{ contactName }} whether they will come.
3. If they cannot, look for another time with find_free_slots and offer two.
4. Never give medical advice. Hand over to the desk when asked for a human.`;

/** Fills a workspace with the data of a clinic and its courier after a morning. */
export async function fillGallery(world: World): Promise<GalleryContent> {
  const made = await buildThings(world);
  await finishJob(world, "Reminders, Monday", 60, "Ruiz");
  const doneJobId = await finishJob(world, "Delivery windows, north", 140, "Acme");
  await world.request("POST", "/call-jobs", {
    body: { name: "Survey after visit", rows: rowsOf(40), startAt: new Date(Date.now() + 86_400_000).toISOString() },
  });
  const call = await world.call(ASKS, { contactName: "Hannah Weiß", contextData: { crm: "C-2041", order: 42 } });
  const chatId = await writeChats(world);
  return { ...made, doneJobId, callId: String(call.id), chatId, ...(await moreThings(world)) };
}

async function buildThings(world: World): Promise<{ toolId: string; outputId: string }> {
  const tool = await create(world, "/tools", {
    name: "find_free_slots",
    description: "Finds free appointments of a week, so that the agent can offer another one.",
    groupName: "Calendar",
    toolType: "API",
    apiMethod: "POST",
    apiUrl: "https://calendar.example.com/v2/slots/search",
    parameters: [
      { name: "week", type: "string", description: "ISO week, such as 2026-W48", required: true },
      { name: "doctor", type: "string", description: "Left out: any", required: false },
    ],
    mockConfig: { enabled: true, result: { slots: ["Tuesday 10:30", "Thursday 16:00"] } },
  });
  await create(world, "/tools", {
    name: "send_text_message",
    description: "Sends the address of the clinic to the person's phone.",
    groupName: "Messages",
    toolType: "API",
    apiMethod: "POST",
    apiUrl: "https://messages.example.com/send",
  });
  const output = await create(world, "/structured-outputs", {
    name: "Visit wish",
    description: "What the person wants to happen with the appointment.",
    schema: {
      type: "object",
      required: ["decision"],
      properties: {
        decision: { type: "string", enum: ["comes", "moves", "cancels"], description: "What they decided" },
        newDay: { type: "string", description: "Wished day, when it moves" },
        companions: { type: "integer", minimum: 0 },
      },
    },
  });
  for (const [name, apiId] of [
    ["Delivery window", "delivery-window"],
    ["Lead qualification", "lead-qualification"],
    ["Survey after visit", "visit-survey"],
  ])
    await create(world, "/flows", {
      name,
      apiId,
      firstMessage: `Hello, this is about: ${name}.`,
      masterPrompt: PROMPT,
    });
  await world.request("PUT", `/flows/${world.sample.flow.id}`, { body: { masterPrompt: PROMPT } });
  return { toolId: String(tool.id), outputId: String(output.id) };
}

async function moreThings(world: World): Promise<{ contactId: string; simulationId: string }> {
  await create(world, "/agents", {
    name: "Courier desk",
    description: "Knows depots, prices, and what may be shipped.",
  });
  await create(world, "/applications", { key: "courier", name: "Courier" });
  const suite = [
    "suite: Reminders",
    "flow: appointment-reminder",
    "expect: { fields: { confirmed: true } }",
    "scenarios:",
    "  - { name: comes, persona: agrees, repeat: 3 }",
    "  - { name: asks three things first, persona: asks-back }",
    "  - { name: does not come, persona: declines }",
  ].join("\n");
  const run = await world.request("POST", "/simulations", { body: { suite } });
  if (run.status !== 200) throw new Error(run.text);
  await world.until(`/simulations/${String(run.body.id)}`, (body) => body.endedAt !== null);
  const { body } = await world.request("GET", "/contacts");
  const [contact] = body.content as { id: string }[];
  return { contactId: String(contact?.id), simulationId: String(run.body.id) };
}

async function finishJob(world: World, name: string, count: number, company: string): Promise<string> {
  const { id } = await create(world, "/call-jobs", {
    name,
    rows: rowsOf(count).map((row) => ({ ...row, localVariables: { company } })),
    retryConfig: { maxAttempts: 2, delaysMinutes: [1] },
  });
  await world.until(`/call-jobs/${String(id)}`, (job) => job.completedAt !== null, 120_000);
  return String(id);
}

function rowsOf(count: number): { customerNumber: string; contactName: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    customerNumber: `+1${AREAS[index % AREAS.length]}55501${String(index % 100).padStart(2, "0")}`,
    contactName: PEOPLE[index % PEOPLE.length] ?? "",
  }));
}

async function writeChats(world: World): Promise<string> {
  let newest = "";
  for (const [channel, contactName, contactPhone, text] of [
    ["SMS", "Grace Kim", "+12025550156", "Can I bring my son?"],
    ["WHATSAPP", "Liam O’Brien", "+12025550157", "Running late, ten minutes."],
    ["CHAT", "Rosa Bianchi", undefined, "Yes, that works for me."],
  ] as const) {
    const { session } = await create(world, "/outbound/chats", {
      channel,
      contactName,
      ...(contactPhone === undefined ? {} : { contactPhone }),
      initialMessage: "Hello, this is Green Street Clinic. Will you come to your appointment tomorrow at ten?",
    });
    newest = (session as { id: string }).id;
    await world.request("POST", `/chat-sessions/${newest}/messages`, { body: { content: text } });
  }
  return newest;
}

/** Creates an object through the API; returns it. */
export async function create(world: World, path: string, body: unknown): Promise<TestReply["body"]> {
  const reply = await world.request("POST", path, { body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}
