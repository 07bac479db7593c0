const QUESTIONS = 20;
const questions = Array.from({ length: QUESTIONS }, (_, i) => [`answer${i + 1}`, { type: "string" }] as const);

/**
 * A flow whose conversations outlast anything a test does meanwhile on a busy machine: the agent asks for each field.
 */
export const LONG_CONVERSATION = {
  name: "Long talk",
  language: "en-US",
  firstMessage: "Hello from Acme.",
  masterPrompt: "Ask all questions.",
  silenceTimeoutSeconds: 120,
  structuredOutputs: [
    {
      name: "answers",
      schema: {
        type: "object",
        properties: {
          partySize: { type: "integer", minimum: 1, maximum: 20, description: "How many people will come?" },
          ...Object.fromEntries(questions),
        },
      },
    },
  ],
};
