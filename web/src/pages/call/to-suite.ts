import { type Call, readToolCall } from "./call.ts";

const LONGEST_LINE = 2_000;

/**
 * A test suite that replays a call: a person who says the same at the same turns, tools that answer the same, and
 * expectations taken from how the call ended. JSON is YAML too, so `parley simulate` reads it as it is.
 */
export function toSuite(call: Call): string {
  const suite = {
    suite: `From the call of ${call.createdAt.slice(0, 10)} (${call.id.slice(-8)})`,
    ...(call.flowApiId === null ? {} : { flow: call.flowApiId }),
    contact: toContact(call),
    ...(call.rowData === null ? {} : { variables: call.rowData }),
    ...(call.contextData === null ? {} : { contextData: call.contextData }),
    tools: toMocks(call),
    scenarios: [{ name: "as it went", persona: toPersona(call), expect: toExpectations(call) }],
  };
  return `${JSON.stringify(suite, null, 2)}\n`;
}

function toContact(call: Call): object {
  return {
    phone: call.customerNumber,
    ...(call.contactName === null ? {} : { name: call.contactName }),
    ...(call.contactEmail === null ? {} : { email: call.contactEmail }),
  };
}

function toPersona(call: Call): object {
  const said = call.transcript.filter(({ role, content }) => role === "USER" && content.trim() !== "");
  return {
    name: "As on the call",
    behaviours: said.map(({ content }, index) => ({
      when: { turns: [index + 1], evenAtGoodbye: true },
      do: { say: content.slice(0, LONGEST_LINE) },
    })),
  };
}

/** One mock for each tool that was called, answering what it answered first. */
function toMocks(call: Call): Record<string, object> {
  const mocks: Record<string, object> = {};
  for (const turn of call.transcript) {
    const tool = readToolCall(turn);
    if (tool && tool.name !== "end_call") mocks[tool.name] ??= { returns: tool.result };
  }
  return mocks;
}

function toExpectations(call: Call): object {
  return {
    outcome: call.status,
    ...(call.endReason === null ? {} : { endReason: call.endReason }),
    ...(Object.keys(call.extractedFields).length === 0 ? {} : { fields: call.extractedFields }),
  };
}
