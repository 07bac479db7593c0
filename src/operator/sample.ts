import { addToDoNotCall } from "#src/compliance/do-not-call.ts";
import type { Executor } from "#src/db/database.ts";
import { createFlow } from "#src/flows/flows.ts";
import { createNumber } from "#src/phone-numbers/phone-numbers.ts";
import { createOutput } from "#src/structured-outputs/structured-outputs.ts";
import { changeWorkspace, type Workspace } from "#src/workspaces/workspaces.ts";

const DO_NOT_CALL_NUMBERS = ["+12025550132", "+442079460132", "+61255500132"];

const APPOINTMENT_SCHEMA = {
  type: "object",
  properties: {
    confirmed: { type: "boolean", description: "Will you be able to come to your appointment?" },
    partySize: { type: "integer", minimum: 1, maximum: 20, description: "How many people will come?" },
    contactChannel: {
      type: "string",
      enum: ["phone", "text message", "e-mail"],
      description: "How should we remind you: by phone, text message or e-mail?",
    },
  },
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
  await changeWorkspace(tx, workspace.id, { defaultFlowId: flow.id, defaultPhoneNumberId: number.id });
  return {
    flow: { id: flow.id, apiId: flow.apiId },
    phoneNumber: { id: number.id, number: number.phoneNumber },
    structuredOutput: { id: output.id },
  };
}
