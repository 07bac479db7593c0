import type { Chat, ChatMessage, CreateChat } from "@parley/sdk";
import type { Command } from "commander";
import { type ApiSession, openApi } from "#src/surfaces/cli/api-session.ts";
import { EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { parseJsonObject, parseNumber } from "#src/surfaces/cli/option-parsers.ts";
import { detachable, type Run } from "#src/surfaces/cli/run.ts";
import { printable, renderFields } from "#src/surfaces/cli/table.ts";

interface ChatOptions {
  flow?: string;
  name?: string;
  phone?: string;
  context?: Record<string, unknown>;
}

/** Request time-out, longer than the server's own wait for an answer. */
const ANSWER_TIMEOUT_MS = 40_000;

/** Adds `chat`. */
export function addChatCommands(program: Command, run: Run): void {
  program
    .command("chat")
    .description("talk to a flow in writing; each line is what the person says")
    .option("--flow <id>", "flow by id or apiId; default: the workspace's")
    .option("--name <name>", "name of the contact")
    .option("--phone <number>", "number of the contact, whom records and opt-outs belong to", parseNumber)
    .option("--context <json>", "JSON object that is the session's memory", parseJsonObject)
    .action((options: ChatOptions) => holdChat(run, options));
}

async function holdChat(run: Run, options: ChatOptions): Promise<void> {
  const api = await openApi(run);
  const opened = await api.client.chats.create(toCreateChat(options), { timeoutMs: ANSWER_TIMEOUT_MS });
  run.note(run.paint("dim", `chat ${opened.session.id}; an empty line ends it`));
  await printMessages(run, opened.messages);
  const { id } = opened.session;
  const farewell = `Left; the chat goes on until nobody writes. Its id: ${id}`;
  const isOver = await detachable(run.system, farewell, (signal) => conversation(run, api, id, signal));
  if (!isOver) await api.client.chats.close(id);
  await showEnd(run, api, id);
}

/** Holds the chat. Returns true when it has ended by itself. */
async function conversation(run: Run, { client }: ApiSession, id: string, signal: AbortSignal): Promise<boolean> {
  for await (const line of run.system.readLines("you   ", signal)) {
    signal.throwIfAborted();
    const content = line.trim();
    if (content === "") return false;
    const reply: Chat = await client.chats.sendMessage(id, { content }, { signal, timeoutMs: ANSWER_TIMEOUT_MS });
    await printMessages(
      run,
      reply.messages.filter(({ role }) => role !== "USER"),
    );
    if (reply.session.endedAt !== null) return true;
  }
  signal.throwIfAborted();
  return false;
}

async function printMessages(run: Run, messages: ChatMessage[]): Promise<void> {
  for (const message of messages) {
    const speaker = message.role === "TOOL" ? "tool " : "agent";
    const colour = message.role === "TOOL" ? "dim" : "cyan";
    await run.print(message, `${run.system.style(colour, speaker, "OUT")} ${printable(message.content)}`);
  }
}

/** Shows the end of a chat, whose outputs are filled a moment later. */
async function showEnd(run: Run, { client }: ApiSession, id: string): Promise<void> {
  let session = await client.chats.get(id);
  for (let i = 0; session.structuredOutputs === null && i < 50; i++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    session = await client.chats.get(id);
  }
  if (session.status === "FAILED") run.exitCode = EXIT.ENDED_WITH_FAILURES;
  const fields = session.extractedFields ?? {};
  const lines = [[session.status, session.endReason].filter(Boolean).join("  ")];
  if (Object.keys(fields).length > 0) lines.push(renderFields(fields));
  await run.print(session, lines.join("\n"));
}

function toCreateChat({ flow, name, phone, context }: ChatOptions): CreateChat {
  return {
    channel: "CHAT",
    ...(flow !== undefined && { flowId: flow }),
    ...(name !== undefined && { contactName: name }),
    ...(phone !== undefined && { contactPhone: phone }),
    ...(context !== undefined && { contextData: context }),
  };
}
