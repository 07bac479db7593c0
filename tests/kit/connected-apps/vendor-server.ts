import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { API_RULES } from "./api-rules.ts";
import { OAUTH_RULES, type OAuthRules, type Vendor } from "./oauth-rules.ts";

type Json = Record<string, unknown>;

interface Code {
  redirectUri: string;
  challenge: string | null;
  scope: string;
  isOffline: boolean;
}

/** The vendor's side of a connection: its OAuth endpoints and its API, by its public rules. */
export class VendorServer implements AsyncDisposable {
  readonly origin: string;
  readonly clientId = "app-1";
  readonly clientSecret = "app-secret-0123456789";
  /** The one redirect URI that is registered for the app. */
  redirectUri = "";
  /** Replaces the seconds that the vendor's tokens live. */
  expiresIn: number | null;
  /** True: the token endpoint answers 503. */
  isDown = false;
  /** True: the token endpoint answers 200 without any tokens, as a faulty proxy may. */
  isGarbled = false;
  /** Requests of the API that were accepted: method, path with query, and body. */
  readonly calls: { method: string; path: string; body: Json }[] = [];
  /** Requests that the vendor's documents do not allow. */
  readonly faults: string[] = [];
  readonly refreshes: string[] = [];
  readonly revoked: string[] = [];
  /** Every token, code and verifier that was in use. */
  readonly secrets = new Set<string>();
  readonly #vendor: Vendor;
  readonly #rules: OAuthRules;
  readonly #server: Server;
  readonly #codes = new Map<string, Code>();
  readonly #accessTokens = new Set<string>();
  readonly #refreshTokens = new Map<string, string>();

  private constructor(vendor: Vendor, server: Server) {
    this.#vendor = vendor;
    this.#rules = OAUTH_RULES[vendor];
    this.expiresIn = this.#rules.expiresIn;
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.secrets.add(this.clientSecret);
  }

  static async start(vendor: Vendor): Promise<VendorServer> {
    const server = createServer((request, response) => void self.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const self: VendorServer = new VendorServer(vendor, server);
    return self;
  }

  /** A person consents at the authorization address; returns the parameters that the browser is sent back with. */
  async consent(authorizationUrl: string): Promise<Json> {
    const reply = await fetch(authorizationUrl, { redirect: "manual" });
    const location = reply.headers.get("location");
    if (!location) throw new Error(`${reply.status} ${await reply.text()}`);
    const back = new URL(location);
    if (back.origin + back.pathname !== this.redirectUri) throw new Error(`sent back to ${location}`);
    return Object.fromEntries(back.searchParams);
  }

  /** Makes a token that was given out in advance, as a key. */
  makeKey(): string {
    const key = this.#make("key");
    this.#accessTokens.add(key);
    return key;
  }

  /** Ends all access tokens before their time. */
  endAccess(): void {
    this.#accessTokens.clear();
  }

  /** The account's owner takes back the consent. */
  takeBackConsent(): void {
    this.#accessTokens.clear();
    this.#refreshTokens.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const piece of request) body += String(piece);
    const url = new URL(request.url ?? "/", this.origin);
    const [status, answer, headers = {}] = this.#answer(request, url, body);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(answer === null ? "" : JSON.stringify(answer));
  }

  #answer(request: IncomingMessage, url: URL, body: string): [number, Json | null, Record<string, string>?] {
    const { authorizePath, tokenPath, revokePath } = this.#rules;
    const form = new URLSearchParams(body);
    if (url.pathname === authorizePath) return this.#authorize(url.searchParams);
    if (url.pathname === tokenPath && this.isGarbled) return [200, {}];
    if (url.pathname === tokenPath) return this.isDown ? [503, { message: "Later." }] : this.#giveTokens(request, form);
    if (url.pathname === revokePath) {
      this.revoked.push(form.get("token") ?? "");
      return [200, { ok: true, revoked: true }];
    }
    return this.#callApi(request, url, body);
  }

  #authorize(query: URLSearchParams): [number, Json, Record<string, string>?] {
    const { usesPkce, isOffline } = this.#rules;
    const challenge = query.get("code_challenge");
    const isAllowed =
      query.get("response_type") === "code" &&
      query.get("client_id") === this.clientId &&
      query.get("redirect_uri") === this.redirectUri &&
      (query.get("state")?.length ?? 0) >= 22 &&
      (usesPkce ? challenge?.length === 43 && query.get("code_challenge_method") === "S256" : challenge === null);
    if (!isAllowed) return [400, { error: "invalid_request", query: Object.fromEntries(query) }];
    const code = this.#make("code");
    const scope = query.get("scope") ?? "";
    this.#codes.set(code, { redirectUri: this.redirectUri, challenge, scope, isOffline: isOffline(query) });
    const back = new URL(this.redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("code", code);
    return [302, {}, { location: back.href }];
  }

  #giveTokens(request: IncomingMessage, form: URLSearchParams): [number, Json] {
    const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
    const isClient = form.get("client_id") === this.clientId && form.get("client_secret") === this.clientSecret;
    if (request.method !== "POST" || !isForm) return this.#rules.refuse("invalid_request");
    if (!isClient) return this.#rules.refuse("invalid_client");
    if (form.get("grant_type") === "refresh_token") return this.#refresh(form.get("refresh_token") ?? "");
    const code = form.get("code") ?? "";
    const known = this.#codes.get(code);
    // A code is good for one exchange.
    this.#codes.delete(code);
    if (!known || form.get("redirect_uri") !== known.redirectUri) return this.#rules.refuse("invalid_grant");
    const verifier = form.get("code_verifier");
    if (verifier) this.secrets.add(verifier);
    const challenge = verifier && createHash("sha256").update(verifier).digest("base64url");
    if (challenge !== known.challenge) return this.#rules.refuse("invalid_grant");
    return [200, this.#grant(known.scope, known.isOffline ? this.#make("refresh") : null)];
  }

  #refresh(token: string): [number, Json] {
    this.refreshes.push(token);
    const scope = this.#refreshTokens.get(token);
    if (scope === undefined) {
      // A second use of a replaced token ends the whole grant (RFC 9700, 4.14.2).
      if (this.#rules.rotates) this.takeBackConsent();
      return this.#rules.refuse("invalid_grant");
    }
    if (!this.#rules.rotates) return [200, this.#grant(scope, null)];
    this.#refreshTokens.delete(token);
    return [200, this.#grant(scope, this.#make("refresh"))];
  }

  #grant(scope: string, refreshToken: string | null): Json {
    const accessToken = this.#make("access");
    this.#accessTokens.add(accessToken);
    if (refreshToken !== null) this.#refreshTokens.set(refreshToken, scope);
    return this.#rules.grant({ accessToken, refreshToken, scope, origin: this.origin }, this.expiresIn);
  }

  #callApi({ method = "", headers }: IncomingMessage, url: URL, text: string): [number, Json | null] {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    const isSlack = this.#vendor === "SLACK";
    if (!this.#accessTokens.has(token)) return isSlack ? [200, { ok: false, error: "invalid_auth" }] : [401, {}];
    const body = (text === "" ? {} : JSON.parse(text)) as Json;
    for (const rule of API_RULES[this.#vendor]) {
      const found = rule.method === method ? rule.path.exec(url.pathname) : null;
      if (!found) continue;
      const call = { query: url.searchParams, body, headers, path: found.slice(1).map(decodeURIComponent) };
      const fault = rule.fault(call);
      if (fault !== null) {
        this.faults.push(`${method} ${url.pathname}: ${fault}`);
        return isSlack ? [200, { ok: false, error: fault }] : [400, { message: fault }];
      }
      this.calls.push({ method, path: decodeURIComponent(url.pathname + url.search), body });
      return [rule.status ?? 200, rule.answer(call)];
    }
    this.faults.push(`${method} ${url.pathname}: no such method`);
    return [404, { message: "Not found" }];
  }

  #make(kind: string): string {
    const made = `${kind}-${randomBytes(18).toString("hex")}`;
    this.secrets.add(made);
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
