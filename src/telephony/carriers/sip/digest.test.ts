import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  answerChallenge,
  chooseChallenge,
  type DigestChallenge,
  type DigestQuestion,
  parseChallenges,
} from "./digest.ts";

/** Reads the parameters of an answer as a server does. */
function readAnswer(header: string): Record<string, string> {
  expect(header.startsWith("Digest ")).toBe(true);
  const pairs = [...header.slice(7).matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^,]*))/g)];
  return Object.fromEntries(pairs.map(([, name, quoted, plain]) => [name, quoted ?? plain]));
}

function choose(...values: string[]): DigestChallenge {
  const challenge = chooseChallenge(values);
  if (!challenge) throw new Error("no challenge that can be answered");
  return challenge;
}

function ask(challenge: DigestChallenge, changes: Partial<DigestQuestion> = {}): DigestQuestion {
  const question = { method: "INVITE", uri: "sip:ana@trunk.example", username: "u", password: "p" };
  return { challenge, ...question, body: Buffer.alloc(0), nonceCount: 1, cnonce: "0a4f113b", ...changes };
}

const hash = (name: string, text: string): string => createHash(name).update(text).digest("hex");

describe("digest answers have the values that the standards print", () => {
  const rfc7616 = {
    method: "GET",
    uri: "/dir/index.html",
    username: "Mufasa",
    password: "Circle of Life",
    cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
  };
  const challenge = (algorithm: string): string =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';

  test.each([
    ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
    ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
  ])("RFC 7616, 3.9.1: %s", (algorithm, response) => {
    const question = { ...ask(choose(challenge(algorithm))), ...rfc7616 };
    const { nc, qop, algorithm: named, opaque, response: computed } = readAnswer(answerChallenge(question));
    expect(computed).toBe(response);
    expect([nc, qop, named, opaque?.length]).toEqual(["00000001", "auth", algorithm, 44]);
  });

  test("RFC 2617, 3.5", () => {
    const value =
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ' +
      'opaque="5ccc069c403ebaf9f0171e9517f40e41"';
    const question = ask(choose(value), {
      method: "GET",
      uri: "/dir/index.html",
      username: "Mufasa",
      password: "Circle Of Life",
    });
    const answer = readAnswer(answerChallenge(question));
    expect(answer.response).toBe("6629fae49393a05397450978507c4ef1");
    expect(answer).not.toHaveProperty("algorithm");
  });
});

describe("digest answers agree with a computation by hand", () => {
  const base = 'realm="trunk.example", nonce="n1"';

  test("without quality of protection: the old form, with no count and no cnonce", () => {
    const answer = readAnswer(answerChallenge(ask(choose(`Digest ${base}`))));
    const expected = hash(
      "md5",
      `${hash("md5", "u:trunk.example:p")}:n1:${hash("md5", "INVITE:sip:ana@trunk.example")}`,
    );
    expect(answer.response).toBe(expected);
    expect(Object.keys(answer)).toEqual(["username", "realm", "nonce", "uri", "response"]);
  });

  test.each([
    ["MD5-sess", "md5"],
    ["SHA-256-sess", "sha256"],
    ["SHA-512-256-sess", "sha512-256"],
  ])("%s hashes the nonces into the secret", (algorithm, name) => {
    const answer = readAnswer(
      answerChallenge(ask(choose(`Digest ${base}, qop="auth", algorithm=${algorithm}`), { nonceCount: 255 })),
    );
    const secret = hash(name, `${hash(name, "u:trunk.example:p")}:n1:0a4f113b`);
    const asked = hash(name, "INVITE:sip:ana@trunk.example");
    expect(answer.response).toBe(hash(name, `${secret}:n1:000000ff:0a4f113b:auth:${asked}`));
    expect([answer.algorithm, answer.nc]).toEqual([algorithm, "000000ff"]);
  });

  test("auth-int covers the body", () => {
    const answer = readAnswer(
      answerChallenge(ask(choose(`Digest ${base}, qop="auth-int"`), { body: Buffer.from("v=0\r\n") })),
    );
    const asked = hash("md5", `INVITE:sip:ana@trunk.example:${hash("md5", "v=0\r\n")}`);
    expect(answer.response).toBe(
      hash("md5", `${hash("md5", "u:trunk.example:p")}:n1:00000001:0a4f113b:auth-int:${asked}`),
    );
  });

  test("the session form without quality of protection sends the cnonce that it hashed", () => {
    expect(readAnswer(answerChallenge(ask(choose(`Digest ${base}, algorithm=MD5-sess`)))).cnonce).toBe("0a4f113b");
  });

  test("names outside ASCII and with quotes", () => {
    const answer = readAnswer(answerChallenge(ask(choose(`Digest ${base}`), { username: 'J\xFC"x' })));
    const secret = hash("md5", 'J\xFC"x:trunk.example:p');
    expect(answer.response).toBe(hash("md5", `${secret}:n1:${hash("md5", "INVITE:sip:ana@trunk.example")}`));
    expect(answer.username).toBe('J\xFC\\"x');
  });

  test("line breaks never get into the header", () => {
    const challenge = choose(`Digest ${base}`);
    expect(() => answerChallenge(ask(challenge, { username: "u\r\nX: 1" }))).toThrow(RangeError);
    expect(() => answerChallenge(ask(challenge, { uri: "sip:a\r\n" }))).toThrow(RangeError);
    expect(() => answerChallenge(ask(challenge, { cnonce: '"' }))).toThrow(RangeError);
  });
});

describe("challenges", () => {
  test("several in one value and in several values: the strongest is taken", () => {
    const value =
      'Basic realm="b", Digest realm="m", nonce="1", algorithm=MD5, qop="auth", ' +
      'Digest realm="s", nonce="2", algorithm=SHA-256, qop="auth,auth-int", Negotiate abc==';
    expect(parseChallenges(value).map(({ realm, hash: name }) => [realm, name])).toEqual([
      ["m", "MD5"],
      ["s", "SHA-256"],
    ]);
    expect(choose(value).realm).toBe("s");
    expect(choose('Digest realm="m", nonce="1"', 'Digest realm="s", nonce="2", algorithm=sha-256').realm).toBe("s");
  });

  test("of equal hashes, one with quality of protection is taken", () => {
    expect(choose('Digest realm="old", nonce="1"', 'Digest realm="new", nonce="1", qop=auth').realm).toBe("new");
  });

  test("odd spelling: case, spaces, commas and escapes in quotes", () => {
    expect(
      choose('DIGEST  Realm = "a, \\"b\\"" , NONCE="n=1" ,opaque="",STALE=TRUE,Algorithm=md5, QOP="AUTH"'),
    ).toEqual({
      realm: 'a, \\"b\\"',
      nonce: "n=1",
      opaque: "",
      hash: "MD5",
      isSession: false,
      namesAlgorithm: true,
      qop: "auth",
      stale: true,
    });
  });

  test.each([
    ["no nonce", 'Digest realm="a"'],
    ["an algorithm that nobody knows", 'Digest realm="a", nonce="1", algorithm=AKAv1-MD5'],
    ["a quality that nobody knows", 'Digest realm="a", nonce="1", qop="auth-conf"'],
    ["a parameter twice", 'Digest realm="a", realm="b", nonce="1"'],
    ["quotes that do not end", 'Digest nonce="1", realm="a'],
    ["another scheme", 'Basic realm="a"'],
    ["nothing", ""],
  ])("%s cannot be answered", (_, value) => {
    expect(chooseChallenge([value])).toBeNull();
  });
});
