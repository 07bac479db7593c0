import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { WORKSPACE_ADMIN, WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { ifUpdatedAtOrNewQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { actorOf } from "#src/tenancy/audit/actor.ts";
import { recordAudit } from "#src/tenancy/audit/audit.ts";
import {
  changeSpeechAccount,
  getSpeechAccounts,
  removeSpeechAccount,
  SpeechAccount,
  SpeechAccountInput,
  type SpeechAccountParts,
} from "./speech-accounts.ts";
import { SPEECH_PROVIDERS } from "./store.ts";
import { SpeechTrial, trySpeech } from "./try-speech.ts";

const PATH = `${WORKSPACE_PATH}/speech-accounts`;
const ONE = `${PATH}/{provider}`;
const common = { audience: "console", tag: "Speech" } as const;
const params = Type.Object({ workspaceId: Uuid, provider: oneOf(SPEECH_PROVIDERS) });

/** Dependencies of the speech account routes. */
export interface SpeechRouteParts extends SpeechAccountParts {
  /** Providers that the operator configured. */
  server: Pick<SpeechProviders, "sttProviders" | "ttsProviders">;
  speechOf: (workspaceId: string) => Promise<SpeechProviders>;
}

const SpeechAccounts = Type.Object(
  {
    accounts: Type.Array(SpeechAccount),
    sttProviders: Type.Array(Type.String(), { description: "Who hears in calls, in the order they are asked." }),
    ttsProviders: Type.Array(Type.String(), { description: "Who speaks in calls." }),
  },
  { $id: "SpeechAccounts" },
);

/** Routes of a workspace's own accounts at speech providers, and of their trials. */
export function speechAccountRoutes(db: Executor, parts: SpeechRouteParts): Route[] {
  return [
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      path: PATH,
      summary: "Read who hears and speaks in calls",
      params: Type.Object({ workspaceId: Uuid }),
      replies: { 200: SpeechAccounts },
      async run({ caller: { workspaceId } }) {
        const { sttProviders, ttsProviders } = await parts.speechOf(workspaceId);
        return { accounts: await getSpeechAccounts(db, workspaceId, parts.server), sttProviders, ttsProviders };
      },
    }),
    ...changeRoutes(db, parts),
    route({
      ...common,
      access: [WORKSPACE_ADMIN],
      method: "POST",
      path: `${ONE}/check`,
      summary: "Have a provider say one sentence, and hear it",
      params,
      replies: { 200: SpeechTrial },
      async run({ caller: { workspaceId }, params: { provider } }) {
        const providers = await parts.speechOf(workspaceId);
        const isUsable = [...providers.sttProviders, ...providers.ttsProviders].some((name) => name === provider);
        if (!isUsable) throw fieldError("provider", "NOT_CONFIGURED", "has no account that hears or speaks.");
        return trySpeech(providers, provider);
      },
    }),
  ];
}

function changeRoutes(db: Executor, parts: SpeechRouteParts): Route[] {
  return [
    route({
      ...common,
      access: [WORKSPACE_ADMIN],
      method: "PUT",
      path: ONE,
      summary: "Store an account at a provider of speech; sent fields are merged",
      auditsItself: true,
      params,
      query: Type.Object(ifUpdatedAtOrNewQuery),
      body: SpeechAccountInput,
      replies: { 200: SpeechAccount },
      run: (request) =>
        db.transaction().execute(async (tx) => {
          const { workspaceId } = request.caller;
          const { provider } = request.params;
          const input = { ...request.body, ...request.query };
          const changed = await changeSpeechAccount(tx, parts, workspaceId, provider, input);
          const [actor, details] = [actorOf(request), { fields: Object.keys(request.body) }];
          await recordAudit(tx, { workspaceId, actor, action: "speech.changed", target: provider, details });
          return changed;
        }),
    }),
    route({
      ...common,
      access: [WORKSPACE_ADMIN],
      method: "DELETE",
      path: ONE,
      summary: "Forget an account; the server's takes its place",
      auditsItself: true,
      params,
      replies: { 204: null },
      run: (request) =>
        db.transaction().execute(async (tx) => {
          const { workspaceId } = request.caller;
          const { provider } = request.params;
          await removeSpeechAccount(tx, workspaceId, provider);
          await recordAudit(tx, { workspaceId, actor: actorOf(request), action: "speech.removed", target: provider });
        }),
    }),
  ];
}
