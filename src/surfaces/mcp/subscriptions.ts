import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHandlerRequestOptions,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import { sleep } from "#src/platform/kernel/async.ts";
import { AppError } from "#src/platform/kernel/errors.ts";

/** Time after which a stream asks again what its caller may do. */
const CHECK_MS = 15_000;
/** Streams that a process holds at once. */
const MAX_STREAMS = 500;

/** One request for a stream. */
export interface SubscriptionRequest {
  request: Request;
  permissions: ReadonlySet<string>;
  /** Returns the caller's permissions as they are now; undefined for a credential that holds no more. */
  readPermissions: () => Promise<ReadonlySet<string> | undefined>;
}

/**
 * The streams by which clients learn that their list of tools has changed, because somebody changed the permissions of
 * their credential. A stream ends with its credential.
 */
export class Subscriptions {
  readonly #factory: McpServerFactory;
  readonly #keepAliveMs: number;
  readonly #checkMs: number;
  #count = 0;

  constructor(factory: McpServerFactory, keepAliveMs: number, checkMs = CHECK_MS) {
    this.#factory = factory;
    this.#keepAliveMs = keepAliveMs;
    this.#checkMs = checkMs;
  }

  /** Opens a stream, which its request's signal ends. Throws UNAVAILABLE when there are too many. */
  async open(asked: SubscriptionRequest, options: McpHandlerRequestOptions): Promise<Response> {
    if (this.#count >= MAX_STREAMS) throw new AppError("UNAVAILABLE", "Too many streams are open.");
    // A bus of its own, since permissions are this caller's alone.
    const bus = new InMemoryServerEventBus();
    const handler = createMcpHandler(this.#factory, { bus, keepAliveMs: this.#keepAliveMs });
    const ended = new AbortController();
    asked.request.signal.addEventListener("abort", () => ended.abort(), { once: true });
    this.#count++;
    ended.signal.addEventListener("abort", () => this.#count--, { once: true });
    void this.#watch(asked, () => bus.publish({ kind: "tools_list_changed" }), ended.signal).then(async () => {
      ended.abort();
      await handler.close();
    });
    return handler.fetch(asked.request, options);
  }

  /** Reports each change of the permissions, until the signal aborts or the credential holds no more. */
  async #watch(
    { permissions, readPermissions }: SubscriptionRequest,
    onChange: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    for (let known = permissions; await this.#pause(signal);) {
      // The database may be away for a moment; the next check asks again.
      const now = await readPermissions().catch(() => known);
      if (now === undefined) return;
      if (now.symmetricDifference(known).size > 0) onChange();
      known = now;
    }
  }

  /** False: the stream has ended. */
  async #pause(signal: AbortSignal): Promise<boolean> {
    return sleep(this.#checkMs, signal).then(
      () => true,
      () => false,
    );
  }
}
