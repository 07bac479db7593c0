import type { Database } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { SecretBoxError } from "#src/platform/kernel/secret-box.ts";
import { openClient, type ProviderParts } from "./connections.ts";
import { apiOriginsOf, readFailure, refusesToken, toHeader } from "./providers.ts";
import { openTokens, sealTokens, type Tokens } from "./secrets.ts";
import {
  type ConnectionRow,
  findConnection,
  giveRefreshBack,
  markRefused,
  storeRefreshed,
  takeRefresh,
} from "./store.ts";
import { refreshTokens } from "./token-endpoint.ts";

/** Time between two looks at a refresh that another node does, and the most looks: longer than its right lasts. */
const LOOK_MS = 100;
const MOST_LOOKS = 350;

/** Reason why a connection gives no access. The message is for the model and the operator. */
export class ConnectionFault extends Error {
  readonly code: "CONNECTION_MISSING" | "CONNECTION_NEEDS_SIGN_IN" | "CONNECTION_UNAVAILABLE" | "HOST_NOT_ALLOWED";

  constructor(code: ConnectionFault["code"], message: string) {
    super(message);
    this.name = "ConnectionFault";
    this.code = code;
  }
}

/** Access for one request. */
export interface Access {
  /** Name, in lower case, and value of the header that carries the token. */
  header: [name: string, value: string];
  token: string;
  /** True when an answer says that the token is not accepted. */
  refusesToken(status: number, body: Buffer): boolean;
  /** Returns the error in an answer whose status says success; null for none. */
  readFailure(body: Buffer): string | null;
}

/** One request for access. */
export interface AccessQuery {
  workspaceId: string;
  connectionId: string;
  /** Address of the request. */
  url: URL;
  /** Token that the provider did not accept for this request, if any. */
  refused?: string | undefined;
  signal: AbortSignal;
}

/** Result of a refresh. ELSEWHERE: another node does it. FAILED: the provider did not decide. */
type Refresh = "DONE" | "ELSEWHERE" | "FAILED";

type Parts = Omit<ProviderParts, "guard">;

/** Gives requests access by a workspace's connections, and refreshes their tokens. One for each process. */
export class ConnectionAccess {
  readonly #database: Database;
  readonly #parts: Parts;
  /** Refreshes of this process that are under way, by connection and version of its tokens. */
  readonly #refreshes = new Map<string, Promise<Refresh>>();

  constructor(database: Database, parts: Parts) {
    this.#database = database;
    this.#parts = parts;
  }

  /**
   * Returns access to an address by a connection. A token that is about to end, or that the provider has refused, is
   * refreshed first. Throws a ConnectionFault: also for an address that is not the provider's.
   */
  async open({ workspaceId, connectionId, url, refused, signal }: AccessQuery): Promise<Access> {
    let isRefreshed = false;
    for (let look = 0; look < MOST_LOOKS; look++) {
      const row = await findConnection(this.#database.db, workspaceId, connectionId);
      if (!row) throw new ConnectionFault("CONNECTION_MISSING", "The tool's connection does not exist any more.");
      if (row.state !== "CONNECTED") throw needsSignIn(row);
      assertOrigin(row, url);
      const tokens = this.#openTokens(row);
      const isRefused = tokens.accessToken === refused;
      // A refreshed token counts as fresh, however soon it ends.
      if (isRefreshed || (!isRefused && !row.is_due)) return toAccess(row, tokens);
      const isUsable = !isRefused && !row.is_over;
      if (tokens.refreshToken === null) {
        if (isUsable) return toAccess(row, tokens);
        await this.#refuse(row, isRefused ? "The provider refused the token." : "The token has ended.");
        throw needsSignIn(row);
      }
      const refresh = await this.#refreshOnce(row, tokens.refreshToken);
      if (refresh === "FAILED" && isUsable) return toAccess(row, tokens);
      if (refresh === "FAILED") break;
      if (refresh === "DONE") isRefreshed = true;
      else await sleep(LOOK_MS, signal);
    }
    throw new ConnectionFault("CONNECTION_UNAVAILABLE", "The provider did not renew the access. Try again later.");
  }

  #openTokens(row: ConnectionRow): Tokens {
    try {
      const tokens = openTokens(this.#parts.box, row);
      if (tokens) return tokens;
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      const { workspace_id: workspaceId, id: connectionId } = row;
      this.#parts.log.error("The sealed tokens of a connection cannot be read.", { workspaceId, connectionId });
    }
    throw needsSignIn(row);
  }

  /** Refreshes tokens of one version once, however many requests of this process ask for it. */
  #refreshOnce(row: ConnectionRow, refreshToken: string): Promise<Refresh> {
    const key = `${row.workspace_id}|${row.id}|${row.token_version}`;
    const known = this.#refreshes.get(key);
    if (known) return known;
    const started = this.#refresh(row, refreshToken).finally(() => this.#refreshes.delete(key));
    this.#refreshes.set(key, started);
    return started;
  }

  /**
   * Refreshes tokens while this node alone has the right to: a provider that replaces refresh tokens takes a second use
   * of one for theft, and ends the grant. No transaction is open meanwhile.
   */
  async #refresh(row: ConnectionRow, refreshToken: string): Promise<Refresh> {
    const { db } = this.#database;
    const { box, safeFetch } = this.#parts;
    if (!(await takeRefresh(db, row))) return "ELSEWHERE";
    const answer = await refreshTokens(safeFetch, openClient(box, row), refreshToken);
    if (answer.kind === "UNAVAILABLE") {
      await giveRefreshBack(db, row);
      return "FAILED";
    }
    if (answer.kind === "REFUSED") await this.#refuse(row, `The provider refused the refresh (${answer.reason}).`);
    else {
      const sealed = sealTokens(box, row.workspace_id, row.id, answer.tokens);
      await storeRefreshed(db, row, { sealed, expiresInSeconds: answer.expiresInSeconds });
    }
    return "DONE";
  }

  async #refuse(row: ConnectionRow, failure: string): Promise<void> {
    const { workspace_id: workspaceId, id, name, provider } = row;
    const isNew = await this.#database.db.transaction().execute(async (tx) => {
      const isMarked = await markRefused(tx, row, failure);
      const data = { name, provider, failure };
      if (isMarked) await appendEvents(tx, workspaceId, [{ type: "connection.needs_sign_in", subjectId: id, data }]);
      return isMarked;
    });
    if (!isNew) return;
    this.#parts.log.warn("A connection needs a new sign-in.", { workspaceId, connectionId: id, provider, failure });
  }
}

function needsSignIn({ name }: ConnectionRow): ConnectionFault {
  const message = `The connection ${name} needs a sign-in by the operator before this can be done.`;
  return new ConnectionFault("CONNECTION_NEEDS_SIGN_IN", message);
}

function assertOrigin(row: ConnectionRow, url: URL): void {
  if (apiOriginsOf(row).includes(url.origin)) return;
  const message = "The tool's address is not at the provider of its connection.";
  throw new ConnectionFault("HOST_NOT_ALLOWED", message);
}

function toAccess(row: ConnectionRow, { accessToken: token }: Tokens): Access {
  return {
    header: toHeader(row, row.method, token),
    token,
    refusesToken: (status, body) => refusesToken(row, status, body),
    readFailure: (body) => readFailure(row, body),
  };
}
