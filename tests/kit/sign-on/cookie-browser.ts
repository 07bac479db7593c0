/** A browser as far as redirects and cookies go. */
export class CookieBrowser {
  readonly #serviceUrl: string;
  readonly #cookies = new Map<string, Map<string, string>>();

  /** `serviceUrl`: the service; a redirect to one of its pages ends the way. */
  constructor(serviceUrl: string) {
    this.#serviceUrl = serviceUrl;
  }

  /** The cookies that the service gets, as a header. */
  get cookie(): string {
    return this.#headerFor(this.#serviceUrl);
  }

  /** Follows redirects from a path of the service; gives the last address, which was not opened. */
  async follow(path: string): Promise<URL> {
    let url = new URL(path, this.#serviceUrl);
    for (let step = 0; step < 12; step++) {
      const next = await this.step(url);
      if (next.origin === this.#serviceUrl && !next.pathname.startsWith("/api/")) return next;
      url = next;
    }
    throw new Error(`The redirects do not end: ${url.href}`);
  }

  /** Opens an address; gives the one that it redirects to. */
  async step(url: URL): Promise<URL> {
    const reply = await fetch(url, { redirect: "manual", headers: { cookie: this.#headerFor(url.origin) } });
    const jar = this.#cookies.get(url.origin) ?? new Map<string, string>();
    this.#cookies.set(url.origin, jar);
    for (const line of reply.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";", 1)[0] as string).split(/=(.*)/s);
      jar.set(name, value);
    }
    const location = reply.headers.get("location");
    if (location === null) throw new Error(`${url.href}: ${reply.status} ${await reply.text()}`);
    return new URL(location, url);
  }

  /** Forgets what a site set. */
  forget(origin: string): void {
    this.#cookies.delete(origin);
  }

  #headerFor(origin: string): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}
