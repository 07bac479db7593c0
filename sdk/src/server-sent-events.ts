import type { Clock } from "./clock.ts";
import { ConnectionError, ServerError } from "./errors.ts";
import type { ChatMessage, ChatSession } from "./generated/shapes.ts";

/** State of a chat as its events show it. */
export type ChatState = Pick<
  ChatSession,
  "id" | "status" | "mode" | "aiMode" | "handoff" | "endReason" | "windowExpiresAt" | "endedAt"
> & {
  /** True once the chat is over and its structured outputs are filled. */
  outputsReady: boolean;
};

/** An event of a chat; `typing` has no id. */
export type ChatEvent =
  | { id: string; type: "message.created" | "message.updated"; data: { message: ChatMessage } }
  | { id: string; type: "session.updated"; data: { session: ChatState } }
  | { id: undefined; type: "typing"; data: { active: boolean } };

/** One event of a stream as the HTML standard defines it (section 9.2.6), with its data as text. */
export interface ServerSentEvent {
  id: string | undefined;
  type: string;
  data: string;
}

const WAIT_MS = 1_000;
const MOST_FAILURES = 5;

/**
 * Gives the events of a chat until it is over, which the server answers with 204. A stream that ends before (each lasts
 * ten minutes) or breaks is opened again after the last event, also while the server restarts; five breaks without an
 * event between them are passed on, and a server that is not there at the first time at once.
 */
export async function* readChatEvents(
  clock: Clock,
  open: (lastEventId: string | undefined) => Promise<Response>,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, undefined> {
  let lastId = lastEventId;
  let hasOpened = false;
  for (let breaks = 0; ;) {
    try {
      const { status, body } = await open(lastId);
      if (status === 204 || !body) return;
      hasOpened = true;
      for await (const { id, type, data } of readServerSentEvents(body)) {
        breaks = 0;
        lastId = id ?? lastId;
        yield { id, type, data: JSON.parse(data) as unknown } as ChatEvent;
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const isPassing = error instanceof ConnectionError || error instanceof ServerError;
      if (!hasOpened || !isPassing || ++breaks === MOST_FAILURES) throw error;
    }
    await clock.sleep(WAIT_MS * Math.max(1, breaks), signal);
  }
}

/** Gives the events of a stream; one without its empty line at the end is not complete and left out. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new ConnectionError("The stream of events broke.", { cause });
      });
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = readEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readEvent(block: string): ServerSentEvent | undefined {
  // A value may hold U+2028 and U+2029, which end no line here, and which a dot matches only with the flag "s".
  const fields = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/s.exec(line)?.slice(1) ?? []);
  const valuesOf = (name: string) => fields.flatMap(([field, value = ""]) => (field === name ? [value] : []));
  const data = valuesOf("data");
  if (data.length === 0) return undefined;
  return { id: valuesOf("id").at(-1), type: valuesOf("event").at(-1) ?? "message", data: data.join("\n") };
}
