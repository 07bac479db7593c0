import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** A prompt: its description, and its text from the arguments. */
interface McpPrompt {
  definition: Prompt;
  text: (args: Readonly<Record<string, string>>) => string;
}

const NOBODY_RINGS =
  "Call no real person unless I say so in this conversation: the numbers +12025550100 to +12025550199 are always simulated.";

const PROMPTS: readonly McpPrompt[] = [
  {
    definition: {
      name: "write_flow",
      title: "Write a flow",
      description: "Writes a flow for a purpose, tries it on simulated people and improves it.",
      arguments: [
        { name: "purpose", description: "What the call is for, such as: confirm appointments.", required: true },
        { name: "business", description: "Who calls: name, what it does, tone." },
        { name: "language", description: "Language of the conversation, such as en-US." },
      ],
    },
    text: ({ purpose = "", business, language }) =>
      [
        `Write a Parley flow for this purpose: ${purpose}`,
        business ? `The business: ${business}` : "Ask me for the name of the business if you do not know it.",
        language ? `The conversation is in ${language}.` : "",
        "1. Read the resources parley://docs/flows and parley://docs/agent.",
        "2. Name the variables that each person's row must bring, and the fields to extract from what is said.",
        "3. Make the flow with create_flow: who calls and why in the first message, then a prompt of short rules. One question at a time; what to do with a wrong person, a voicemail, a refusal, a wish for a human and an opt-out.",
        "4. Place calls to +12025550100 and +12025550103 with place_call_and_wait and read what was said. For a suite of simulated people use start_simulation.",
        "5. Change what went wrong with update_flow and try again, at most three times. Then show me the prompt, one transcript and what is still open.",
        NOBODY_RINGS,
      ]
        .filter(Boolean)
        .join("\n"),
  },
  {
    definition: {
      name: "explain_job",
      title: "Explain a call job",
      description: "Says how a call job went, why rows failed and what to change.",
      arguments: [{ name: "jobId", description: "Id of the call job; without it the latest one." }],
    },
    text: ({ jobId }) =>
      [
        jobId ? `Explain the call job ${jobId}.` : "Explain the latest call job; list_call_jobs has its id.",
        "1. Read it with summarize_call_job and summarise_job_failures.",
        "2. Read two or three transcripts of each frequent outcome with get_call.",
        "3. Say in this order: how many people were reached (machines are not people), what they answered, why the others were not reached, what people misunderstood or disliked, and at most three changes to flow, times or numbers, each with the rows that speak for it.",
        "Give numbers with what they are a share of. Change nothing and call nobody.",
      ].join("\n"),
  },
  {
    definition: {
      name: "review_calls",
      title: "Review calls of a flow",
      description: "Reads the latest conversations of a flow and finds what its prompt should say.",
      arguments: [
        { name: "flowApiId", description: "apiId of the flow.", required: true },
        { name: "calls", description: "How many of the latest calls to read; 20 unless given." },
      ],
    },
    text: ({ flowApiId = "", calls = "20" }) =>
      [
        `Review the latest ${calls} answered calls of the flow ${flowApiId}.`,
        "1. Read the flow with get_flow and the calls with list_calls (flowApiId, outcome ANSWERED, size).",
        "2. For each call note: was the purpose met, which fields are missing or wrong against the transcript, where the person had to repeat themselves, what the agent promised or invented that the prompt does not say.",
        "3. Group what you found, most frequent first, with one quotation and the rowId for each.",
        "4. Propose the smallest change of the prompt for each group, as old and new text. Do not save it before I agree.",
      ].join("\n"),
  },
  {
    definition: {
      name: "prepare_job",
      title: "Prepare a call job",
      description: "Checks people, flow, numbers and hours before a job calls anybody.",
      arguments: [
        { name: "flowApiId", description: "apiId of the flow.", required: true },
        { name: "people", description: "Who is to be called: rows, or where they are." },
      ],
    },
    text: ({ flowApiId = "", people }) =>
      [
        `Prepare a call job with the flow ${flowApiId}.`,
        people ? `The people: ${people}` : "Ask me for the people: number, name and the flow's variables for each.",
        "1. Read the flow with get_flow and list the variables that each row must bring; name rows that lack one.",
        "2. Look at list_phone_numbers for a number of the same country with slots left, and at get_balance.",
        "3. Check the job with check_call_job (by run_tool): rows that cannot be called and why, hours, cost.",
        "4. Show me the first message as the first person will hear it, how many people would be called, when, and what it costs.",
        "Start it with start_call_job_from_rows only after I have agreed to exactly that.",
      ].join("\n"),
  },
];

/** Returns the prompts, for an assistant's menu. */
export function listPrompts(): Prompt[] {
  return PROMPTS.map(({ definition }) => definition);
}

/** Returns the message of a prompt. Throws a ProtocolError for an unknown name or a missing argument. */
export function getPrompt(name: string, args: Record<string, string> = {}): GetPromptResult {
  const prompt = PROMPTS.find(({ definition }) => definition.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name.slice(0, 100)}`);
  const { description, arguments: declared = [] } = prompt.definition;
  const missing = declared.find((argument) => argument.required && !args[argument.name]?.trim());
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing.name} is required.`);
  const content = { type: "text", text: prompt.text(args) } as const;
  return { ...(description ? { description } : {}), messages: [{ role: "user", content }] };
}
