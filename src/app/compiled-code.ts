import { channel } from "node:diagnostics_channel";
import { flushCompileCache } from "node:module";

/** Heard by bin/bundle.js. */
const compiled = channel("parley.compiled");

/**
 * Keeps what is compiled by now for the next start. Node keeps a part of it at exit, but not after a kill -9, and the next
 * start needs it then.
 */
export function keepCompiled(): void {
  compiled.publish(undefined);
  flushCompileCache();
}
