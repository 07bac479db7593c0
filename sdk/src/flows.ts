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

  /** Lists the flows of the workspace. */
  list(options: RequestOptions & { size?: number } = {}): Pages<Flow> {
    return new Pages(this.#transport, `${API_PREFIX}/flows`, { size: options.size }, options);
  }

  /** Lists the last change of each flow, with its draft. */
  changes(options: RequestOptions & { size?: number } = {}): Pages<FlowChange> {
    return new Pages(this.#transport, `${API_PREFIX}/flows/changes`, { size: options.size }, options);
  }

  /** Returns one flow by its uuid. */
  get(id: string, options: RequestOptions = {}): Promise<Flow> {
    return this.#request({ method: "GET", path: pathOf(id) }, options);
  }

  /** Replaces the fields that are sent; null clears one. A whole flow from `get` may be sent back. */
  update(id: string, fields: FlowDefinition, options: RequestOptions = {}): Promise<Flow> {
    return this.#request({ method: "PUT", path: pathOf(id), json: fields }, options);
  }

  /** Deletes a flow for good. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#request({ method: "DELETE", path: pathOf(id) }, options);
  }

  /** Returns the flow with its tools and structured outputs as one document; credentials are left out and listed. */
  export(id: string, options: RequestOptions = {}): Promise<FlowDocument> {
    return this.#request({ method: "GET", path: `${pathOf(id)}/export` }, options);
  }

  /** Creates the objects of a document, with new ids. A repeat after a lost answer creates nothing twice. */
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

  /** Lists all numbers; this list has no pages. */
  list({ signal, timeoutMs }: RequestOptions = {}): Promise<PhoneNumber[]> {
    return this.#transport.request({ method: "GET", path: `${API_PREFIX}/phone-numbers`, signal, timeoutMs });
  }
}

/** Schemas that agents fill in. */
export class StructuredOutputs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists all structured outputs; this list has no pages. */
  list({ signal, timeoutMs }: RequestOptions = {}): Promise<StructuredOutput[]> {
    return this.#transport.request({ method: "GET", path: `${API_PREFIX}/structured-outputs`, signal, timeoutMs });
  }
}
