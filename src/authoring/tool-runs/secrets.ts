import { carriesCredential } from "#src/authoring/tools/api-headers.ts";
import { MASK } from "#src/platform/kernel/mask.ts";

/**
 * Shortest secrets: shorter texts are too common to be distinguished from ordinary words. In a body the minimum is
 * higher, since names there suggest credentials more often.
 */
const MIN_LENGTH = 4;
const MIN_LENGTH_IN_BODY = 8;

/**
 * Returns the parts of a tool's headers, as they are sent, that must never be shown: credentials, and what they
 * contain. `inBody`: the secret texts of its body, as they are sent.
 */
export function findSecrets(headers: Record<string, string>, inBody: readonly string[] = []): string[] {
  const found = Object.entries(headers).flatMap(([name, value]) => (carriesCredential(name) ? readSecret(value) : []));
  // Longer ones first: masking a part would keep the whole from being found.
  const all = [
    ...found.filter((text) => text.length >= MIN_LENGTH),
    ...inBody.filter((text) => text.length >= MIN_LENGTH_IN_BODY),
  ];
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

function readSecret(value: string): string[] {
  const [, scheme = "", token = ""] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  if (token === "") return [value];
  if (scheme.toLowerCase() !== "basic") return [value, token];
  const plain = Buffer.from(token, "base64").toString();
  return [value, token, plain, plain.slice(plain.indexOf(":") + 1)];
}

/** Masks the secrets in a text, also in their JSON and URL forms. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) {
    for (const form of new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ])) {
      masked = masked.replaceAll(form, MASK);
    }
  }
  return masked;
}
