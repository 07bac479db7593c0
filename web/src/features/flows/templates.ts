import type { JsonObject } from "@parley/sdk";

/** A template of a flow, as an exported document. */
export interface FlowTemplate {
  id: string;
  title: string;
  about: string;
  document: JsonObject;
}

const OUTPUT_ID = "0198f000-0000-7000-8000-000000000001";

interface TemplateParts {
  about: string;
  flow: JsonObject;
  output: { name: string; description: string; properties: JsonObject; required: string[] };
}

/** Templates for the three most common purposes of calls. */
export const FLOW_TEMPLATES: FlowTemplate[] = [
  template("reminder", "Appointment reminder", {
    about: "Confirms an appointment, and moves on when nobody can come.",
    flow: {
      masterPrompt:
        "You call {{ contactName | default: 'the customer' }} for {{ company }} about the appointment {{ appointment }}.\n\nFind out whether they will come and how many people will be there. When they cannot come, say that somebody will call to find another time. Be friendly and short: one question at a time.",
      firstMessage:
        "Hello{% if contactName != '' %} {{ contactName }}{% endif %}, this is the automated assistant of {{ company }}. I am calling about your appointment {{ appointment }}.",
      localVariables: [
        { variableName: "company", type: "string", defaultValue: "Green Street Clinic" },
        { variableName: "appointment", type: "string", defaultValue: "tomorrow at ten" },
      ],
      voicemailConfig: {
        action: "LEAVE_MESSAGE",
        message:
          "This is {{ company }} about your appointment {{ appointment }}. Please call us back if you cannot come.",
      },
    },
    output: {
      name: "appointment",
      description: "What was said about the appointment.",
      properties: {
        confirmed: { type: "boolean", description: "Will you be able to come to your appointment?" },
        partySize: { type: "integer", minimum: 1, maximum: 20, description: "How many people will come?" },
      },
      required: ["confirmed"],
    },
  }),
  template("survey", "Satisfaction survey", {
    about: "Asks for a rating and a reason after a purchase or a visit.",
    flow: {
      masterPrompt:
        "You ask {{ contactName | default: 'the customer' }} for {{ company }} how satisfied they were with {{ subject }}.\n\nAsk for a rating from 1 to 5, then for the reason. Never argue with a rating. Thank them and end the call.",
      firstMessage:
        "Hello{% if contactName != '' %} {{ contactName }}{% endif %}, this is the automated assistant of {{ company }}. Do you have a minute for two questions about {{ subject }}?",
      localVariables: [
        { variableName: "company", type: "string", defaultValue: "Corner Grocers" },
        { variableName: "subject", type: "string", defaultValue: "your last delivery" },
      ],
      voicemailConfig: { action: "HANG_UP" },
    },
    output: {
      name: "survey",
      description: "The answers of the survey.",
      properties: {
        rating: { type: "integer", minimum: 1, maximum: 5, description: "How satisfied were you, from 1 to 5?" },
        reason: { type: "string", description: "What is the reason for your rating?" },
      },
      required: ["rating"],
    },
  }),
  template("lead", "Lead qualification", {
    about: "Finds out who is worth a meeting, and when they have time for it.",
    flow: {
      masterPrompt:
        "You call {{ contactName | default: 'somebody' }} for {{ company }}. They asked for a demo of {{ product }}.\n\nFind out how large the team is, what they use today, and which day suits for a demo. Do not give prices: say that a colleague will. Be short and friendly.",
      firstMessage:
        "Hello{% if contactName != '' %} {{ contactName }}{% endif %}, this is the automated assistant of {{ company }}. You asked for a demo of {{ product }}. Is this a good moment?",
      localVariables: [
        { variableName: "company", type: "string", defaultValue: "Northwind Tools" },
        { variableName: "product", type: "string", defaultValue: "our scheduling software" },
      ],
      voicemailConfig: { action: "HANG_UP" },
    },
    output: {
      name: "lead",
      description: "What was found out about the lead.",
      properties: {
        interested: { type: "boolean", description: "Are you still interested in a demo?" },
        teamSize: { type: "integer", minimum: 1, maximum: 10_000, description: "How many people are in your team?" },
        day: { type: "string", format: "date", description: "Which day suits you for the demo?" },
      },
      required: ["interested"],
    },
  }),
];

function template(id: string, title: string, { about, flow, output }: TemplateParts): FlowTemplate {
  const { name, description, properties, required } = output;
  const schema = { type: "object", properties, required };
  return {
    id,
    title,
    about,
    document: {
      format: "parley.flow",
      formatVersion: 1,
      flow: { name: title, description: about, language: "en-US", ...flow, structuredOutputIds: [OUTPUT_ID] },
      tools: [],
      structuredOutputs: [{ id: OUTPUT_ID, name, description, schema }],
      requiredSecrets: [],
    },
  };
}
