import type { TestReply, World } from "./world.ts";

/** A browser tab as far as the dashboard's API sees it: a cookie, and the token that its writes show. */
export class Tab {
  cookie: string | undefined;
  csrfToken: string | undefined;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** A request below /api/console; `headers` replace those that a page would send. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<TestReply> {
    const sent = { cookie: this.cookie, "x-csrf-token": this.csrfToken, origin: this.#world.url, ...headers };
    const given = Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const reply = await this.#world.request(method, `/api/console${path}`, {
      key: null,
      headers: Object.fromEntries(given),
      ...(body === undefined ? {} : { body }),
    });
    this.#keep(reply);
    return reply;
  }

  async signIn(email: string, password = PASSWORD): Promise<TestReply> {
    return this.ask("POST", "/sign-in", { email, password });
  }

  #keep(reply: TestReply): void {
    const [cookie] = reply.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(";", 1)[0];
    if (typeof reply.body.csrfToken === "string") this.csrfToken = reply.body.csrfToken;
  }
}

export const PASSWORD = "correct horse battery";

/** The token of a link that was given out. */
export function tokenOf(link: { url?: unknown }): string {
  return String(link.url).split("/").at(-1) as string;
}

/** Sets the installation up; gives the owner's tab. */
export async function setUpOwner(world: World, email = "owner@example.com"): Promise<Tab> {
  const tab = new Tab(world);
  const token = tokenOf(await world.operator("setup-link", {}));
  const reply = await tab.ask("POST", "/setup", { token, name: "Olive Owner", email, password: PASSWORD });
  if (reply.status !== 200) throw new Error(reply.text);
  return tab;
}

/** Invites somebody to a workspace; gives that person's tab. */
export async function inviteMember(world: World, workspaceId: string, role: string): Promise<Tab> {
  const tab = new Tab(world);
  const token = tokenOf(await world.operator("user.invite", { workspaceId, role }));
  const email = `${role.toLowerCase()}-${workspaceId.slice(-6)}@example.com`;
  const reply = await tab.ask("POST", "/invitations/accept", { token, name: role, email, password: PASSWORD });
  if (reply.status !== 200) throw new Error(reply.text);
  return tab;
}
