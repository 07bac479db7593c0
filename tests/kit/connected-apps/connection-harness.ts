import { setUpOwner, type Tab } from "../console-harness.ts";
import type { TestReply, World } from "../world.ts";
import type { Vendor } from "./oauth-rules.ts";
import { VendorServer } from "./vendor-server.ts";

type Json = Record<string, unknown>;

/** Result of a tool's trial. */
export interface Trial {
  outcome: string;
  content: string;
  errorCode: string | null;
}

/** The owner of a world's sample workspace, who connects it to vendors. */
export class ConnectionHarness {
  readonly world: World;
  readonly owner: Tab;
  readonly path: string;

  private constructor(world: World, owner: Tab) {
    this.world = world;
    this.owner = owner;
    this.path = `/workspaces/${world.sample.workspaceId}`;
  }

  static async open(world: World): Promise<ConnectionHarness> {
    return new ConnectionHarness(world, await setUpOwner(world));
  }

  /** Starts a vendor at which an app of the workspace is registered. */
  async startVendor(vendor: Vendor): Promise<VendorServer> {
    const server = await VendorServer.start(vendor);
    server.redirectUri = `${this.world.url}/connections/callback`;
    return server;
  }

  /** A request of the owner's to the workspace; throws unless it is answered with a success. */
  async ask(method: string, path: string, body?: Json): Promise<Json> {
    const reply = await this.owner.ask(method, this.path + path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  }

  /** Makes a connection that nobody signed in to; returns its id. */
  async make(vendor: Vendor, server: VendorServer, more: Json = {}): Promise<string> {
    const { clientId, clientSecret, origin: baseUrl } = server;
    const body = { name: `My ${vendor}`, provider: vendor, clientId, clientSecret, baseUrl, ...more };
    return String((await this.ask("POST", "/connections", body)).id);
  }

  /** Begins a sign-in and consents; returns what the browser is sent back with. */
  async consent(server: VendorServer, connectionId: string): Promise<Json> {
    const { authorizationUrl } = await this.ask("POST", `/connections/${connectionId}/sign-in`);
    return server.consent(String(authorizationUrl));
  }

  /** Ends a sign-in in a tab, the owner's unless another is given. */
  end(back: Json, tab: Tab = this.owner, path: string = this.path): Promise<TestReply> {
    return tab.ask("POST", `${path}/connection-sign-ins`, back);
  }

  /** Makes a connection and signs in; returns its id. */
  async connect(vendor: Vendor, server: VendorServer, more: Json = {}): Promise<string> {
    const id = await this.make(vendor, server, more);
    const reply = await this.end(await this.consent(server, id));
    if (reply.status !== 200) throw new Error(reply.text);
    return id;
  }

  /** Installs a tool pack; returns the ids of its tools by name. */
  async install(pack: string, connectionId: string, settings: Json = {}): Promise<Record<string, string>> {
    const { tools } = await this.ask("POST", `/tool-packs/${pack}/install`, { connectionId, settings });
    return Object.fromEntries((tools as { name: string; id: string }[]).map(({ name, id }) => [name, id]));
  }

  /** Runs a tool once. */
  async run(toolId: string | undefined, input: Json = {}): Promise<Trial> {
    return (await this.ask("POST", `/tools/${toolId}/run`, { input })) as unknown as Trial;
  }
}
