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

/** The collaborators of a process, built once by `app.ts` and passed to the routes of the rooms. */
export interface Context {
  /** This process, as the holder of leases. */
  node: Pick<Node, "id" | "trouble">;
  /** The pool that serves requests; other work replaces it by another one of `databases`. */
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
  /** Files of recordings with real audio. */
  recordings: RecordingFiles;
  /** The configured STT and TTS providers of calls. */
  speechProviders: SpeechProviders;
  /** Returns the speech providers of a workspace, which may have accounts of its own; never rejects. */
  speechOf: (workspaceId: string) => Promise<SpeechProviders>;
  /** Opens the audio of calls. */
  voice: VoiceCalls;
  /** Returns the load of the media thread. */
  mediaLoad(): MediaLoad;
  /** Describes the voice activity detection for the doctor; throws with what is missing. */
  describeVad(): Promise<string>;
  /** The calls of this process whose audio is open. */
  liveAudio: LiveCalls;
  /** Commands to live calls, from any node. */
  callCommands: CallCommands;
  /** Hub of the people who listen in on live calls. */
  supervision: SupervisionHub;
  /** Dependencies for opening a provider's model, and the function that opens a flow's models. */
  models: OpenerParts;
  openModel: OpenModel;
  /** The carriers' accounts. */
  accounts: CarrierAccountCache;
  /** Dependencies for opening and checking them. */
  carrierAccountParts: CarrierAccountParts;
  /** Routes the events of carriers. */
  carrierEvents: CarrierEventRouter;
  /** Gateway for call audio that carriers deliver over WebSockets. */
  carrierMedia: MediaSocketGateway;
  /** The SIP trunks. */
  sip: SipTrunkManager;
  /** Returns the messenger of a chat. */
  findMessenger: FindMessenger;
  /** Turns queries into vectors, when the workspace has an embedding model. */
  embed: EmbedQuery;
  /** Dependencies of the sessions' ports: their tools and services. */
  sessionPortParts: SessionPortParts;
  /** The configured providers of transcriptions. */
  batchSttProviders: BatchSttProviders;
  /** The event streams of chats that this process holds open. */
  chatStreams: ChatStreams;
  publicUrl: string;
  /** Settings of the dashboard. */
  console: ConsoleSettings;
  /** The dashboard's live streams that this process holds open. */
  feeds: Feeds;
  /** Files of uploads until their import. */
  spool: SpoolRoom;
  /** Wakes the dispatcher of this process. */
  wakeDispatcher(): void;
  /** Wakes the dispatcher, the task worker and the event streams. */
  wake(): void;
  liveCalls(): number;
  /** Notifies the pages of this process of a call that may be for one of them. */
  ringPages: () => void;
  /** Stores an event of a sandbox carrier in another process; 404 for a wrong token. */
  receiveSandboxEvent(token: string, body: Record<string, unknown>): Promise<void>;
}
