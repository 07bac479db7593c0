import { API_PREFIX } from "./calls.ts";
import type { Flow, FlowChange, FlowDefinition, FlowDocument, FlowImport } from "./flow-types.ts";
import type { StructuredOutput } from "./output-types.ts";
import { Pages } from "./pages.ts";
import type { Call, Transport } from "./transport.ts";
import type { PhoneNumber, RequestOptions } from "./types.ts";

/** Saved flows. */
export class Flows {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The flows of the workspace. */
  list(options: RequestOptions & { size?: number } = {}): Pages<Flow> {
    return new Pages(this.#transport, `${API_PREFIX}/flows`, { size: options.size }, options);
  }

  /** Who changed each flow last, and what is being prepared for it. */
  changes(options: RequestOptions & { size?: number } = {}): Pages<FlowChange> {
    return new Pages(this.#transport, `${API_PREFIX}/flows/changes`, { size: options.size }, options);
  }

  /** One flow by its uuid. */
  get(id: string, options: RequestOptions = {}): Promise<Flow> {
    return this.#request({ method: "GET", path: pathOf(id) }, options);
  }

  /** Replaces the fields that are sent; null clears one. A whole flow as `get` gives it may be sent back. */
  update(id: string, fields: FlowDefinition, options: RequestOptions = {}): Promise<Flow> {
    return this.#request({ method: "PUT", path: pathOf(id), json: fields }, options);
  }

  /** Deletes a flow for good. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: "DELETE", path: pathOf(id) }, options);
  }

  /** The flow with its tools and structured outputs as one document; credentials are left out and listed. */
  export(id: string, options: RequestOptions = {}): Promise<FlowDocument> {
    return this.#request({ method: "GET", path: `${pathOf(id)}/export` }, options);
  }

  /** Makes what a document holds, with new ids. A repeat after a lost answer makes nothing twice. */
  import(document: FlowDocument, options: RequestOptions = {}): Promise<FlowImport> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return this.#request(
      { method: "POST", path: `${API_PREFIX}/flows/import`, json: document, idempotencyKey },
      options,
    );
  }

  #request<T>(call: Call, { signal, timeoutMs }: RequestOptions): Promise<T> {
    return this.#transport.request({ ...call, signal, timeoutMs });
  }
}

function pathOf(id: string): string {
  return `${API_PREFIX}/flows/${encodeURIComponent(id)}`;
}

/** The numbers of a workspace. */
export class PhoneNumbers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All numbers; this list has no pages. */
  list({ signal, timeoutMs }: RequestOptions = {}): Promise<PhoneNumber[]> {
    return this.#transport.request({ method: "GET", path: `${API_PREFIX}/phone-numbers`, signal, timeoutMs });
  }
}

/** Schemas that agents fill. */
export class StructuredOutputs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All structured outputs; this list has no pages. */
  list({ signal, timeoutMs }: RequestOptions = {}): Promise<StructuredOutput[]> {
    return this.#transport.request({ method: "GET", path: `${API_PREFIX}/structured-outputs`, signal, timeoutMs });
  }
}
