import { createHash } from "node:crypto";
import { endOfQuoted, quote } from "./sip-grammar.ts";

const HASHES = { MD5: "md5", "SHA-256": "sha256", "SHA-512-256": "sha512-256" };
type HashName = keyof typeof HASHES;
const STRONGEST_FIRST: readonly HashName[] = ["SHA-512-256", "SHA-256", "MD5"];

/** A challenge that can be answered (RFC 7616). */
export interface DigestChallenge {
  /** As written between the quotes, so that it is returned byte by byte. */
  realm: string;
  nonce: string;
  opaque: string | null;
  hash: HashName;
  /** True when the challenge asks for the session variant of the algorithm. */
  isSession: boolean;
  /** True when the challenge named its algorithm, which the answer then repeats. */
  namesAlgorithm: boolean;
  /** Null: the old form without quality of protection (RFC 2069). */
  qop: "auth" | "auth-int" | null;
  /** The password was right and only the nonce was too old: the same credentials may be tried with this nonce. */
  stale: boolean;
}

interface RawChallenge {
  scheme: string;
  params: Map<string, string>;
  isMalformed: boolean;
}

/**
 * Returns the strongest challenge of WWW-Authenticate or Proxy-Authenticate that we can answer, or null. Each value may
 * hold several.
 */
export function chooseChallenge(values: readonly string[]): DigestChallenge | null {
  const known = values.flatMap(parseChallenges);
  return known.toSorted((one, other) => rank(one) - rank(other))[0] ?? null;
}

function rank(challenge: DigestChallenge): number {
  const byQop = challenge.qop === "auth" ? 0 : challenge.qop === "auth-int" ? 1 : 2;
  return STRONGEST_FIRST.indexOf(challenge.hash) * 10 + byQop * 2 + (challenge.isSession ? 1 : 0);
}

/** Returns all challenges of one value that we can answer; skips others and malformed ones. */
export function parseChallenges(value: string): DigestChallenge[] {
  return readSchemes(value).flatMap((raw) => toDigest(raw) ?? []);
}

function toDigest({ scheme, params, isMalformed }: RawChallenge): DigestChallenge | null {
  const realm = params.get("realm");
  const nonce = params.get("nonce");
  if (isMalformed || scheme !== "digest" || realm === undefined || nonce === undefined) return null;
  const algorithm = params.get("algorithm");
  const name = (algorithm ?? "MD5").toUpperCase();
  const isSession = name.endsWith("-SESS");
  const hash = isSession ? name.slice(0, -5) : name;
  const qop = readQop(params.get("qop"));
  if (!isKnownHash(hash) || qop === undefined) return null;
  const opaque = params.get("opaque") ?? null;
  const stale = params.get("stale")?.toLowerCase() === "true";
  return { realm, nonce, opaque, hash, isSession, namesAlgorithm: algorithm !== undefined, qop, stale };
}

function isKnownHash(name: string): name is HashName {
  return Object.hasOwn(HASHES, name);
}

/** Undefined: only unknown kinds. */
function readQop(text: string | undefined): DigestChallenge["qop"] | undefined {
  if (text === undefined) return null;
  const kinds = text.split(",").map((kind) => kind.trim().toLowerCase());
  return kinds.includes("auth") ? "auth" : kinds.includes("auth-int") ? "auth-int" : undefined;
}

// A word without "=" begins the next challenge, because commas separate both challenges and parameters.
function readSchemes(value: string): RawChallenge[] {
  const found: RawChallenge[] = [];
  const word = /[\s,]*([^\s,="]+)(\s*=\s*)?/y;
  for (let match = word.exec(value); match; match = word.exec(value)) {
    const [, name, equals] = match as unknown as [string, string, string | undefined];
    const current = found.at(-1);
    if (equals === undefined) {
      found.push({ scheme: name.toLowerCase(), params: new Map(), isMalformed: false });
      continue;
    }
    const param = readValue(value, word.lastIndex);
    if (!current || !param) {
      if (current) current.isMalformed = true;
      break;
    }
    word.lastIndex = param.end;
    if (current.params.has(name.toLowerCase())) current.isMalformed = true;
    current.params.set(name.toLowerCase(), param.text);
  }
  return found;
}

function readValue(value: string, start: number): { text: string; end: number } | null {
  if (value[start] === '"') {
    const end = endOfQuoted(value, start);
    return end < 0 ? null : { text: value.slice(start + 1, end - 1), end };
  }
  const plain = /[^\s,"]+/y;
  plain.lastIndex = start;
  const match = plain.exec(value);
  return match ? { text: match[0], end: plain.lastIndex } : null;
}

/** Inputs of an answer. */
export interface DigestQuestion {
  challenge: DigestChallenge;
  method: string;
  uri: string;
  username: string;
  password: string;
  /** The body of the request, which auth-int covers. */
  body: Buffer;
  /** 1 for the first answer to a nonce. */
  nonceCount: number;
  /** Ours, random, without quotes. */
  cnonce: string;
}

/** Returns the value of Authorization or Proxy-Authorization. Throws a RangeError for line breaks in the inputs. */
export function answerChallenge(question: DigestQuestion): string {
  const { challenge, uri, username, nonceCount, cnonce } = question;
  if (!/^[^"\\\p{Cc}]+$/u.test(cnonce) || /[\r\n\0"]/.test(uri) || /[\r\n\0]/.test(username)) {
    throw new RangeError("Credentials hold what a header cannot.");
  }
  const algorithm = `${challenge.hash}${challenge.isSession ? "-sess" : ""}`;
  const parts = [
    `username=${quote(username)}`,
    `realm="${challenge.realm}"`,
    `nonce="${challenge.nonce}"`,
    `uri="${uri}"`,
    `response="${computeResponse(question)}"`,
    ...(challenge.namesAlgorithm ? [`algorithm=${algorithm}`] : []),
    ...(challenge.opaque === null ? [] : [`opaque="${challenge.opaque}"`]),
    ...(challenge.qop === null ? [] : [`qop=${challenge.qop}`, `nc=${toHexCount(nonceCount)}`]),
    ...(challenge.qop === null && !challenge.isSession ? [] : [`cnonce="${cnonce}"`]),
  ];
  return `Digest ${parts.join(", ")}`;
}

function computeResponse(question: DigestQuestion): string {
  const { challenge, method, uri, username, password, body, nonceCount, cnonce } = question;
  const hash = (data: string | Buffer): string => createHash(HASHES[challenge.hash]).update(data).digest("hex");
  const login = hash(`${username}:${challenge.realm}:${password}`);
  const secret = challenge.isSession ? hash(`${login}:${challenge.nonce}:${cnonce}`) : login;
  const asked = hash(`${method}:${uri}${challenge.qop === "auth-int" ? `:${hash(body)}` : ""}`);
  const count = challenge.qop === null ? "" : `${toHexCount(nonceCount)}:${cnonce}:${challenge.qop}:`;
  return hash(`${secret}:${challenge.nonce}:${count}${asked}`);
}

function toHexCount(count: number): string {
  return count.toString(16).padStart(8, "0");
}
