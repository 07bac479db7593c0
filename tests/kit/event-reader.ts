/** One server-sent event as a client gets it. */
export interface ServerEvent {
  /** Empty where the event has none. */
  id: string;
  type: string;
  data: { [name: string]: unknown };
}

/** Reads a stream of server-sent events (HTML standard, section 9.2.6), as a browser would. */
export class EventReader implements Disposable {
  readonly status: number;
  readonly headers: Headers;
  readonly events: ServerEvent[] = [];
  readonly comments: string[] = [];
  /** The body of a refusal. */
  text = "";
  ended = false;
  readonly #abort: AbortController;
  readonly #done: Promise<void>;

  private constructor(reply: Response, abort: AbortController) {
    this.status = reply.status;
    this.headers = reply.headers;
    this.#abort = abort;
    this.#done = this.#read(reply).catch(() => undefined);
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const abort = new AbortController();
    return new EventReader(await fetch(url, { headers, signal: abort.signal }), abort);
  }

  async #read(reply: Response): Promise<void> {
    const decoder = new TextDecoder();
    let left = "";
    for await (const piece of reply.body ?? []) {
      left += decoder.decode(piece as Uint8Array, { stream: true });
      if (!reply.headers.get("content-type")?.startsWith("text/event-stream")) continue;
      const blocks = left.split("\n\n");
      left = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
    this.text = left;
    this.ended = true;
  }

  #take(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      if (line.startsWith(":")) this.comments.push(line.slice(1).trim());
      else fields.set(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2));
    }
    const data = fields.get("data");
    if (data === undefined) return;
    const parsed = JSON.parse(data) as ServerEvent["data"];
    this.events.push({ id: fields.get("id") ?? "", type: fields.get("event") ?? "message", data: parsed });
  }

  /** Waits until an event is there that fits. */
  async until(fits: (event: ServerEvent) => boolean, timeoutMs = 20_000): Promise<ServerEvent> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const found = this.events.find(fits);
      if (found) return found;
      if (this.ended || performance.now() > deadline)
        throw new Error(`No such event in ${JSON.stringify(this.events)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Waits until the server ends the stream. */
  async end(): Promise<this> {
    await this.#done;
    return this;
  }

  close(): void {
    this.#abort.abort();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** True for a message with such content. */
export function says(content: string): (event: ServerEvent) => boolean {
  return ({ type, data }) =>
    type === "message.created" && String((data.message as { content: string }).content).includes(content);
}
