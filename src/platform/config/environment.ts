/** The environment variables of a process. */
export type Environment = Record<string, string | undefined>;

/** A setting that cannot be used; the message names the variable and what it takes. */
export class ConfigError extends Error {}

/** Returns the variables without the line end that `echo x > file` writes, for those that were read from such a file. */
export function withoutLineEnds(env: Environment): Environment {
  return new Proxy(env, { get: (given, name: string) => withoutLineEnd(given[name]) });
}

/** Returns a text without the line ends at its end. */
export function withoutLineEnd<T extends string | undefined>(text: T): T {
  return text?.replace(/[\r\n]+$/, "") as T;
}

/** Reads a whole number within limits; returns `fallback` when it is not set. */
export function readInteger(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}

/** Reads a flag: 1 or 0, "true" or "false"; false when it is not set. */
export function readFlag(env: Environment, name: string): boolean {
  const text = env[name] ?? "";
  if (text === "" || text === "0" || text === "false") return false;
  if (text === "1" || text === "true") return true;
  throw new ConfigError(`${name} must be 1 or 0, not "${text}".`);
}

/** Reads an http or https address and returns it without its trailing slash. */
export function readBaseUrl(text: string | undefined, name: string, fallback: string): string {
  const url = URL.parse(text || fallback);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new ConfigError(`${name} must be an http or https address such as ${fallback}, not "${text}".`);
  }
  return url.href.replace(/\/+$/, "");
}
