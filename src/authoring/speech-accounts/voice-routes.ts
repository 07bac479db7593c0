import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { listVoices, sayInVoice, VoiceLibrary, VoiceSample, VoiceSampleInput } from "./voices.ts";

const PATH = `${WORKSPACE_PATH}/voices`;
const common = { audience: "console", tag: "Speech", params: Type.Object({ workspaceId: Uuid }) } as const;

/** Dependencies of the routes of voices. */
export interface VoiceRouteParts {
  speechOf: (workspaceId: string) => Promise<SpeechProviders>;
}

/** Routes that list the voices of a workspace's calls, and that say a sentence in one. */
export function voiceRoutes(db: Executor, { speechOf }: VoiceRouteParts): Route[] {
  return [
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      path: PATH,
      summary: "List the voices that calls can have, with their price and latency",
      replies: { 200: VoiceLibrary },
      run: async ({ caller: { workspaceId } }) => listVoices(db, workspaceId, await speechOf(workspaceId)),
    }),
    route({
      ...common,
      access: ["FLOWS_WRITE"],
      method: "POST",
      path: `${PATH}/sample`,
      summary: "Say a sentence in a voice",
      body: VoiceSampleInput,
      replies: { 200: VoiceSample },
      run: async ({ caller: { workspaceId }, body }) => sayInVoice(await speechOf(workspaceId), body),
    }),
  ];
}
