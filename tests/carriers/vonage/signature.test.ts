import { generateKeyPairSync, randomUUID } from "node:crypto";
import { Auth } from "@vonage/auth";
import { tokenGenerate, verifySignature as verifyWithKit } from "@vonage/jwt";
import { expect, test } from "vitest";
import { createApplicationToken, createBasicHeader } from "#src/telephony/carriers/vonage/vonage-api.ts";
import { type SignatureCheck, verifySignature } from "#src/telephony/carriers/vonage/vonage-signature.ts";
import { signWebhook, type VonageIdentity } from "../../kit/carriers/vonage-poster.ts";

const IDENTITY: VonageIdentity = {
  apiKey: "abcd1234",
  applicationId: randomUUID(),
  signatureSecret: "the-signature-secret-of-the-account",
};
const BODY = JSON.stringify({ status: "ringing", uuid: randomUUID() });

interface Sample {
  token: string;
  body: string;
  check?: Partial<SignatureCheck>;
}

function isAccepted({ token, body, check }: Sample): boolean {
  const authorization = `Bearer ${token}`;
  const given = { ...IDENTITY, authorization, body: Buffer.from(body), nowMs: Date.now(), ...check };
  return verifySignature(given).isGenuine;
}

test("what the vendor's kit accepts as signed with the secret, we accept", () => {
  for (const body of [BODY, "{}", JSON.stringify({ text: "Grüße 👋" })]) {
    const token = signWebhook(IDENTITY, body);
    expect(verifyWithKit(token, IDENTITY.signatureSecret)).toBe(true);
    expect(isAccepted({ token, body })).toBe(true);
  }
});

const now = Math.floor(Date.now() / 1_000);
const genuine = signWebhook(IDENTITY, BODY);
const [head = "", payload = "", signature = ""] = genuine.split(".");
const stranger = { ...IDENTITY, signatureSecret: "another-secret" };
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

const refusedByBoth: [string, string][] = [
  ["signed with another secret", signWebhook(stranger, BODY)],
  ["expired", signWebhook(IDENTITY, BODY, { exp: now - 600 })],
  ["not valid yet", signWebhook(IDENTITY, BODY, { nbf: now + 600 })],
  ["changed in its claims", `${head}.${encode({ iss: "Vonage", iat: now })}.${signature}`],
  ["changed in its signature", `${head}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`],
  ["without a signature", `${head}.${payload}.`],
  ["of the kind none", `${encode({ alg: "none", typ: "JWT" })}.${payload}.`],
  ["no token", "abc"],
];
test.each(refusedByBoth)("a token that is %s is refused by the kit and by us", (_what, token) => {
  expect(verifyWithKit(token, IDENTITY.signatureSecret)).toBe(false);
  expect(isAccepted({ token, body: BODY })).toBe(false);
});

// The kit looks at the signature alone; Vonage's own guide asks for the rest.
const refusedByUs: [string, Sample][] = [
  ["over another body", { token: genuine, body: `${BODY} ` }],
  ["an hour old", { token: signWebhook(IDENTITY, BODY, { iat: now - 3_600 }), body: BODY }],
  ["from the future", { token: signWebhook(IDENTITY, BODY, { iat: now + 600 }), body: BODY }],
  ["without a time", { token: signWebhook(IDENTITY, BODY, { iat: undefined }), body: BODY }],
  ["without the hash of the body", { token: signWebhook(IDENTITY, BODY, { payload_hash: undefined }), body: BODY }],
  ["another account's", { token: signWebhook({ ...IDENTITY, apiKey: "other123" }, BODY), body: BODY }],
  ["another application's", { token: signWebhook({ ...IDENTITY, applicationId: randomUUID() }, BODY), body: BODY }],
  ["another issuer's", { token: signWebhook(IDENTITY, BODY, { iss: "Somebody" }), body: BODY }],
  ["not a bearer's", { token: genuine, body: BODY, check: { authorization: `Basic ${genuine}` } }],
  ["missing", { token: genuine, body: BODY, check: { authorization: undefined } }],
  ["there twice", { token: genuine, body: BODY, check: { authorization: [`Bearer ${genuine}`, "x"] } }],
  ["for an account without a secret", { token: signWebhook({ ...IDENTITY, signatureSecret: "" }, BODY), body: BODY }],
];
test.each(refusedByUs)("a signature that is %s is refused", (_what, sample) => {
  expect(isAccepted(sample)).toBe(false);
});

test("a token signed with a public key as its secret is refused", () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const token = tokenGenerate(IDENTITY.applicationId, pem);
  expect(verifyWithKit(token, publicKey.export({ type: "spki", format: "pem" }).toString())).toBe(true);
  expect(isAccepted({ token, body: BODY })).toBe(false);
});

test("our application token is what the vendor's kit makes and takes", () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ours = createApplicationToken(IDENTITY.applicationId, privateKey, Date.now());
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  expect(verifyWithKit(ours, pem)).toBe(true);
  const strangerKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
  expect(verifyWithKit(ours, strangerKey.export({ type: "spki", format: "pem" }).toString())).toBe(false);
  const theirs = tokenGenerate(IDENTITY.applicationId, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  const read = (token: string, part: number) =>
    JSON.parse(Buffer.from(token.split(".")[part] ?? "", "base64url").toString()) as Record<string, unknown>;
  expect(read(ours, 0)).toEqual(read(theirs, 0));
  expect(Object.keys(read(ours, 1)).toSorted()).toEqual(Object.keys(read(theirs, 1)).toSorted());
  const life = (token: string) => Number(read(token, 1).exp) - Number(read(token, 1).iat);
  expect(life(ours)).toBe(life(theirs));
});

test("our header of key and secret is the one of the vendor's kit", async () => {
  const auth = new Auth({ apiKey: "abcd1234", apiSecret: "s3cret:with/colon" });
  expect(createBasicHeader("abcd1234", "s3cret:with/colon")).toBe(await auth.createBasicHeader());
});
