export const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** A resource of SCIM. */
export interface Resource {
  [name: string]: unknown;
  id: string;
}

/** A company's directory, which provisions its people by SCIM. */
export class Directory {
  /** Id of the identity provider. */
  readonly id: string;
  readonly token: string;
  readonly #serviceUrl: string;

  constructor(serviceUrl: string, id: string, token: string) {
    this.#serviceUrl = serviceUrl;
    this.id = id;
    this.token = token;
  }

  /** Sends a request; a text as body is sent as it is. */
  async ask(method: string, path: string, body?: unknown) {
    const reply = await fetch(`${this.#serviceUrl}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { "content-type": "application/scim+json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    const json = (text === "" ? {} : JSON.parse(text)) as Resource & { Resources: Resource[] };
    return { status: reply.status, headers: reply.headers, body: json };
  }

  async make(kind: "Users" | "Groups", body: object): Promise<Resource> {
    const reply = await this.ask("POST", `/${kind}`, body);
    if (reply.status !== 201) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async patch(path: string, ...Operations: object[]): Promise<Resource> {
    const reply = await this.ask("PATCH", path, { schemas: [PATCH_OP], Operations });
    if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }
}
