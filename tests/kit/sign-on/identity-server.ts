import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** A person of the provider, and the claims about them. */
export interface Claims {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

export const CLIENT = { clientId: "parley", clientSecret: "a client secret of forty characters, more" };

/** A certified OpenID provider, in which `person` is signed in without being asked. */
export class IdentityServer implements AsyncDisposable {
  readonly issuer: string;
  person: Claims = { sub: "nobody" };
  /** True: the person refuses, as on a consent page. */
  refuses = false;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Starts one that knows the client of this service under some keys. */
  static async start(serviceUrl: string, keys: string[]): Promise<IdentityServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const started = new IdentityServer(server);
    const provider = new Provider(started.issuer, started.#settings(serviceUrl, keys));
    const answer = provider.callback();
    server.on("request", (request, response) => {
      if (!request.url?.startsWith("/ask")) return answer(request, response);
      const result = started.refuses ? { error: "access_denied" } : { login: { accountId: started.person.sub } };
      void provider.interactionFinished(request, response, result);
    });
    return started;
  }

  #settings(serviceUrl: string, keys: string[]): object {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: keys.map((key) => `${serviceUrl}/api/sign-on/${key}/callback`),
          post_logout_redirect_uris: [`${serviceUrl}/sign-in`],
        },
      ],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
      scopes: ["openid", "groups"],
      cookies: { keys: ["a key of this test"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: () => "/ask" },
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "one" }] },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...this.person, sub }) }),
      loadExistingGrant: async (context: { oidc: { provider: Provider; client: { clientId: string } } }) => {
        const { provider, client } = context.oidc;
        const grant = new provider.Grant({ clientId: client.clientId, accountId: this.person.sub });
        grant.addOIDCScope("openid email profile groups");
        await grant.save();
        return grant;
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
