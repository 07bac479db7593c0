/** Methods by which somebody proves what they know (RFC 8176, 2). */
const KNOWLEDGE = ["pwd", "pin", "kba"];
/** Codes that somebody receives or reads off; alone they are one factor. */
const CODES = ["otp", "sms", "tel"];
/** Methods that prove nothing by themselves: place, risk, presence, the computer's own sign-in. */
const CIRCUMSTANCES = ["geo", "rba", "user", "wia"];
const ONE_FACTOR = new Set([...KNOWLEDGE, ...CODES, ...CIRCUMSTANCES]);

/**
 * Returns whether a provider answers for a second factor, from its claim `amr`. It does unless the claim names methods
 * that are one factor together, such as a password alone: without the claim nothing is known against it, and `mfa`,
 * keys, biometrics and names of the provider's own count as more than a password.
 */
export function hasProviderFactor(amr: unknown): boolean {
  const methods = Array.isArray(amr) ? amr.filter((method) => typeof method === "string") : [];
  if (methods.length === 0 || methods.some((method) => !ONE_FACTOR.has(method))) return true;
  return [KNOWLEDGE, CODES].every((kind) => methods.some((method) => kind.includes(method)));
}
