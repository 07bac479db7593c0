import type { LanguageModel } from "#src/engine/models/models.ts";
import type * as Turns from "./turns.ts";

let loaded: Promise<typeof Turns> | undefined;

/**
 * Loads what the scripted model says and understands in five languages, 600 patterns: a tenth of a start, in which nobody
 * speaks. A server loads it once it is ready, so that no person waits for that.
 */
export function loadScript(): Promise<typeof Turns> {
  return (loaded ??= import("./turns.ts"));
}

/**
 * Creates a model that needs no provider: it asks one question for each property of the outputs, understands plain
 * answers in five languages, and fills the outputs with the real answers. It keeps no state of its own: the same
 * messages give the same turn.
 */
export function createScriptedModel(): LanguageModel {
  return {
    name: "scripted",
    readsAll: true,
    async *respond(request) {
      yield* (await loadScript()).respond(request);
    },
    extract: async (request) => (await loadScript()).extract(request),
  };
}
