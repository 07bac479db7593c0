import type { RequestOptions, TestReply, World } from "./world.ts";

type Body = TestReply["body"];

/** The application of the sample workspace, with short ways to make things in it. */
export class DataHarness {
  readonly world: World;
  /** Path of the application. */
  readonly app: string;
  /** Path of its stores. */
  readonly stores: string;
  #stores = 0;

  constructor(world: World) {
    this.world = world;
    this.app = `/applications/${world.sample.application.id}`;
    this.stores = `${this.app}/stores`;
  }

  /** Posts a body that is taken. */
  async make(path: string, body: unknown): Promise<Body> {
    const reply = await this.world.request("POST", path, { body });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return reply.body;
  }

  /** The path of a new store. */
  async makeStore(schema: object | null = null): Promise<string> {
    const key = `store-${++this.#stores}`;
    await this.make(this.stores, { key, schema });
    return `${this.stores}/${key}`;
  }

  makeCustomer(fields: object = {}): Promise<Body> {
    return this.make(`${this.app}/customers`, { name: "Grace", ...fields });
  }

  /** The path of a new record, in the sample's store unless another is named. */
  async makeRecord(body: unknown = {}, store?: string): Promise<string> {
    const path = store ?? `${this.stores}/${this.world.sample.application.storeKey}`;
    return `${path}/${String((await this.make(path, body)).id)}`;
  }

  put(path: string, body: unknown, options: RequestOptions = {}): Promise<TestReply> {
    return this.world.request("PUT", path, { body, ...options });
  }
}

/** The custom fields of a record. */
export function customFields(record: Body): Record<string, unknown> {
  const {
    id: _id,
    metadata: _metadata,
    customerId: _customer,
    createdAt: _made,
    updatedAt: _changed,
    ...fields
  } = record;
  return fields;
}
