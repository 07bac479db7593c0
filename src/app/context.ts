import type { SpeechEngine } from "#src/audio/recording/speech-engine.ts";
import type { BatchSttProviders } from "#src/audio/speech-providers/batch-stt-providers.ts";
import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import type { VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import type { MediaLoad } from "#src/audio/worker/media-host.ts";
import type { EmbedQuery } from "#src/authoring/language-models/embeddings.ts";
import type { OpenerParts, OpenModel } from "#src/authoring/language-models/open-model.ts";
import type { SessionPortParts } from "#src/authoring/session-plans/granted-ports.ts";
import type { ChatStreams } from "#src/interactions/chats/event-streams.ts";
import type { LiveCalls } from "#src/interactions/dispatch/live-calls.ts";
import type { Node } from "#src/interactions/dispatch/node.ts";
import type { RecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import type { CallCommands } from "#src/interactions/supervision/call-commands.ts";
import type { SupervisionHub } from "#src/interactions/supervision/supervision-hub.ts";
import type { CarrierAccountParts } from "#src/numbers/carrier-accounts/account-input.ts";
import type { CarrierAccountCache } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import type { CarrierEventRouter } from "#src/numbers/carrier-accounts/webhook-routes.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { Databases } from "#src/platform/db/databases.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { SpoolRoom } from "#src/platform/http/spool-room.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { ConsoleSettings } from "#src/surfaces/console/console.ts";
import type { Feeds } from "#src/surfaces/console/feeds.ts";
import type { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";
import type { SipTrunkManager } from "./sip.ts";

/** The collaborators of a process, built once by `app.ts` and handed to the rooms' routes. */
export interface Context {
  /** This process, as leases know it. */
  node: Pick<Node, "id" | "trouble">;
  /** The pool that serves requests; whoever works for something else passes another one of `databases` on. */
  database: Database;
  /** The pools by purpose. */
  databases: Databases;
  /** True when the database is a child of this process. */
  embedsDatabase: boolean;
  log: Log;
  guard: OutboundGuard;
  safeFetch: SafeFetch;
  box: SecretBox;
  speech: SpeechEngine;
  /** Where recordings of real audio lie. */
  recordings: RecordingFiles;
  /** The providers of speech in calls that are configured. */
  speechProviders: SpeechProviders;
  /** Those of a workspace, which may have accounts of its own; never rejects. */
  speechOf: (workspaceId: string) => Promise<SpeechProviders>;
  /** Opens the audio of calls. */
  voice: VoiceCalls;
  /** How busy the media thread is. */
  mediaLoad(): MediaLoad;
  /** How voices are told from noise, for the doctor; throws with what is missing. */
  describeVad(): Promise<string>;
  /** The calls of this process whose audio is open. */
  liveAudio: LiveCalls;
  /** What is asked of them, from whichever node. */
  callCommands: CallCommands;
  /** Those who listen in on them. */
  supervision: SupervisionHub;
  /** What opening a model of a provider takes, and the function that opens a flow's. */
  models: OpenerParts;
  openModel: OpenModel;
  /** The accounts of carriers. */
  accounts: CarrierAccountCache;
  /** What they are opened and checked with. */
  carrierAccountParts: CarrierAccountParts;
  /** Takes what the carriers tell. */
  carrierEvents: CarrierEventRouter;
  /** Where the audio of calls arrives that carriers bring over WebSockets. */
  carrierMedia: MediaSocketGateway;
  /** The SIP trunks. */
  sip: SipTrunkManager;
  /** Who carries a message. */
  findMessenger: FindMessenger;
  /** Turns queries into vectors, where the workspace has a model for that. */
  embed: EmbedQuery;
  /** What opening the reach of sessions takes: their tools and services. */
  flowGrants: SessionPortParts;
  /** The transcription providers that are configured. */
  batchSttProviders: BatchSttProviders;
  /** The event streams of chats that this process holds open. */
  chatStreams: ChatStreams;
  publicUrl: string;
  /** How the dashboard is served. */
  console: ConsoleSettings;
  /** The dashboard's live streams that this process holds open. */
  feeds: Feeds;
  /** Where uploads are written before they are imported. */
  spool: SpoolRoom;
  /** Rings the dispatcher of this process. */
  wakeDispatcher(): void;
  /** Rings dispatcher and task worker. */
  wake(): void;
  liveCalls(): number;
  /** Tells the pages of this process that one of them may be rung. */
  ringPages: () => void;
  /** Stores an event of a sandbox carrier in another process; 404 for a wrong token. */
  receiveSandboxEvent(token: string, body: Record<string, unknown>): Promise<void>;
}
