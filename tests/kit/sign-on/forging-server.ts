import { createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CLIENT } from "./identity-server.ts";

/** Parts of an ID token that a forger may change. */
export interface Forgery {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** Signs with a key that is not in the provider's set. */
  isSignedByOther?: boolean;
  /** Parameters of the answer to the browser, besides the code. */
  answer?: Record<string, string>;
  /** Metadata that replace the real ones. */
  metadata?: Record<string, unknown>;
  /** Answers of the userinfo endpoint. */
  userinfo?: Record<string, unknown>;
}

const keyPair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** A provider that lies where a test wants it: what a certified one does not do. */
export class ForgingServer implements AsyncDisposable {
  readonly issuer: string;
  forgery: Forgery = {};
  readonly #server: Server;
  readonly #own = keyPair();
  readonly #other = keyPair();
  #nonce = "";

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<ForgingServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const started = new ForgingServer(server);
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", started.issuer);
      if (url.pathname === "/authorize") {
        response.writeHead(302, { location: started.#authorize(url) }).end();
        return;
      }
      const json = JSON.stringify(started.#answer(url.pathname));
      response.writeHead(200, { "content-type": "application/json" }).end(json);
    });
    return started;
  }

  #authorize({ searchParams }: URL): string {
    this.#nonce = searchParams.get("nonce") ?? "";
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    const answer = { code: "a-code", state: searchParams.get("state") ?? "", ...this.forgery.answer };
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    return back.href;
  }

  #answer(path: string): unknown {
    if (path === "/jwks") {
      const key = this.#own.publicKey.export({ format: "jwk" });
      return { keys: [{ ...key, use: "sig", alg: "RS256", kid: "one" }] };
    }
    if (path === "/token") {
      return { access_token: "an-access-token", token_type: "Bearer", expires_in: 60, id_token: this.#idToken() };
    }
    if (path === "/userinfo") return this.forgery.userinfo ?? {};
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      ...this.forgery.metadata,
    };
  }

  #idToken(): string {
    const now = Math.floor(Date.now() / 1_000);
    const { header, claims, isSignedByOther = false } = this.forgery;
    const usual = {
      iss: this.issuer,
      aud: CLIENT.clientId,
      sub: "forged",
      exp: now + 300,
      iat: now,
      nonce: this.#nonce,
      email: "forged@example.com",
      email_verified: true,
      name: "Fay Forged",
      groups: [],
    };
    const head = { alg: "RS256", kid: "one", ...header };
    const text = [head, { ...usual, ...claims }].map((part) => encode(JSON.stringify(part))).join(".");
    return `${text}.${signatureOf(head.alg, text, (isSignedByOther ? this.#other : this.#own).privateKey)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function signatureOf(alg: string, text: string, key: KeyObject): string {
  if (alg === "none") return "";
  if (alg === "HS256") return createHmac("sha256", CLIENT.clientSecret).update(text).digest("base64url");
  return createSign("RSA-SHA256").update(text).sign(key, "base64url");
}
