import { createAgent } from "#src/authoring/agents/agents.ts";
import { createItem, type NewItem } from "#src/authoring/agents/knowledge-items.ts";
import { createApplication } from "#src/authoring/applications/applications.ts";
import { createCustomer } from "#src/authoring/applications/customers.ts";
import { createStore, CUSTOMERS_STORE } from "#src/authoring/applications/data-stores.ts";
import { createRecord } from "#src/authoring/applications/records.ts";
import { createFlow } from "#src/authoring/flows/flows.ts";
import { createOutput } from "#src/authoring/structured-outputs/structured-outputs.ts";
import { createSampleAutomation } from "#src/interactions/automations/runs.ts";
import { createNumber } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { addToDoNotCall } from "#src/tenancy/compliance/do-not-call.ts";
import { changeWorkspace, type Workspace } from "#src/tenancy/workspaces/workspaces.ts";
import { setFields } from "#src/workbench/transcriptions/metadata-fields.ts";
import { createJob } from "#src/workbench/transcriptions/transcription-jobs.ts";

const DO_NOT_CALL_NUMBERS = ["+12025550132", "+442079460132", "+61255500132"];

const APPOINTMENT_SCHEMA = {
  type: "object",
  properties: {
    confirmed: { type: "boolean", title: "Will come", description: "Will you be able to come to your appointment?" },
    partySize: {
      type: "integer",
      title: "Number of people",
      minimum: 1,
      maximum: 20,
      description: "How many people will come?",
    },
    contactChannel: {
      type: "string",
      title: "Reminder by",
      enum: ["phone", "text message", "e-mail"],
      description: "How should we remind you: by phone, text message or e-mail?",
    },
  },
};

const KNOWLEDGE_ITEM: NewItem = {
  title: "Opening hours and address",
  type: "TEXT",
  content:
    "Green Street Clinic is open Monday to Friday from 8 a.m. to 6 p.m. and on Saturday from 9 a.m. to noon. It is closed on Sunday.\n\nThe clinic is at 12 Green Street. Parking is free for two hours behind the building.",
  tags: ["clinic"],
  language: "en",
};

/** Fills a new workspace with a working example of each thing: numbers, an output, a flow that uses it. */
export async function fillSample(tx: Executor, workspace: Workspace) {
  await addToDoNotCall(tx, workspace.id, DO_NOT_CALL_NUMBERS, "SANDBOX");
  const number = await createNumber(tx, workspace.id, {
    provider: "SANDBOX",
    phoneNumber: "+12025550190",
    label: "Sandbox number",
    maxConcurrentCalls: 20,
    isDefault: true,
  });
  await createNumber(tx, workspace.id, {
    provider: "SANDBOX",
    phoneNumber: "+12025550191",
    label: "One call at a time",
  });
  await createNumber(tx, workspace.id, { provider: "SANDBOX", phoneNumber: "+12025550192", label: "Suspended" });
  const output = await createOutput(tx, workspace.id, {
    name: "appointment",
    description: "What the customer said about the appointment.",
    schema: APPOINTMENT_SCHEMA,
  });
  const flow = await createFlow(tx, workspace.id, {
    name: "Appointment reminder",
    apiId: "appointment-reminder",
    description: "Confirms an appointment and asks how to remind.",
    masterPrompt:
      "You are the friendly assistant of {{ company | default: 'Green Street Clinic' }}. Confirm the appointment of {{ contactName | default: 'the customer' }} and ask the open questions. Be short.",
    firstMessage:
      "Hello{% if contactName != '' %} {{ contactName }}{% endif %}, this is the automated assistant of {{ company | default: 'Green Street Clinic' }}. I am calling about your appointment {{ appointment | default: 'tomorrow at ten' }}.",
    language: "en-US",
    localVariables: [
      { variableName: "company", type: "string", defaultValue: "Green Street Clinic" },
      { variableName: "appointment", type: "string", defaultValue: "tomorrow at ten" },
    ],
    structuredOutputIds: [output.id],
    voicemailConfig: {
      action: "LEAVE_MESSAGE",
      message: "This is {{ company }} about your appointment {{ appointment }}. Please call us back.",
    },
  });
  const agent = await createAgent(tx, workspace.id, { name: "Front desk", flowId: flow.id });
  const item = await createItem(tx, workspace.id, agent.id, KNOWLEDGE_ITEM);
  await changeWorkspace(tx, workspace.id, { defaultFlowId: flow.id, defaultPhoneNumberId: number.id });
  return {
    flow: { id: flow.id, apiId: flow.apiId },
    agent: { id: agent.id, knowledgeBaseItemId: item.id },
    application: await createSampleApplication(tx, workspace.id),
    phoneNumber: { id: number.id, number: number.phoneNumber },
    transcriptionJob: await createSampleTranscriptionJob(tx, workspace.id),
    automation: await createSampleAutomation(tx, workspace.id),
    structuredOutput: { id: output.id },
  };
}

/** Creates an application with its own store, a customer, and a record that is linked to it. */
async function createSampleApplication(tx: Executor, workspaceId: string) {
  const application = await createApplication(tx, workspaceId, {
    key: "clinic",
    name: "Green Street Clinic",
    description: "Patients and their appointments.",
  });
  const store = await createStore(tx, workspaceId, application.id, { key: "appointments", name: "Appointments" });
  const customer = await createCustomer(tx, workspaceId, application.id, {
    name: "Ada Example",
    email: "ada@example.com",
    phone: "+12025550100",
    externalId: "patient-1",
  });
  const appointment = {
    day: "2026-12-01",
    time: "10:00",
    status: "BOOKED",
    metadata: { source: "sample" },
    customerId: customer.id,
  };
  const place = { appId: application.id, storeKey: store.key };
  const record = await createRecord(tx, workspaceId, place, JSON.stringify(appointment));
  return {
    id: application.id,
    storeKey: store.key,
    builtInStoreKey: CUSTOMERS_STORE,
    recordId: (JSON.parse(record.text) as { id: string }).id,
    customerId: customer.id,
  };
}

/** Creates a sandbox job that accepts any recording, and some metadata fields for it. */
async function createSampleTranscriptionJob(tx: Executor, workspaceId: string): Promise<{ id: string }> {
  await setFields(tx, workspaceId, [
    { key: "agentName", label: "Agent", description: "Who spoke for the clinic." },
    { key: "customerId", label: "Customer", description: "The customer's number." },
    { key: "callDate", label: "Date of the call", type: "DATE" },
    { key: "direction", label: "Direction", type: "ENUM", allowedValues: ["INBOUND", "OUTBOUND"] },
  ]);
  const { id } = await createJob(tx, new Set(["SANDBOX"]), workspaceId, { name: "Recorded calls" });
  return { id };
}
