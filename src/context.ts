import type { AccountBook } from "#src/carrier-accounts/account-book.ts";
import type { AccountDeskParts } from "#src/carrier-accounts/account-input.ts";
import type { NewsDesk } from "#src/carrier-accounts/webhook-routes.ts";
import type { MediaDesk } from "#src/carriers/media-desk.ts";
import type { ChatStreams } from "#src/chats/event-streams.ts";
import type { ConsoleSettings } from "#src/console/console.ts";
import type { Feeds } from "#src/console/feeds.ts";
import type { Database } from "#src/db/database.ts";
import type { Databases } from "#src/db/databases.ts";
import type { LiveCalls } from "#src/dispatch/live-calls.ts";
import type { Node } from "#src/dispatch/node.ts";
import type { OutboundGuard } from "#src/http/outbound-guard.ts";
import type { SafeFetch } from "#src/http/safe-fetch.ts";
import type { SpoolRoom } from "#src/http/spool-room.ts";
import type { Log } from "#src/kernel/log.ts";
import type { SecretBox } from "#src/kernel/secret-box.ts";
import type { EmbedQuery } from "#src/language-models/embeddings.ts";
import type { OpenerParts, OpenModel } from "#src/language-models/open-model.ts";
import type { SpeechEngine } from "#src/media/speech.ts";
import type { FindMessenger } from "#src/messengers/messenger.ts";
import type { RecordingFiles } from "#src/recordings/recording-files.ts";
import type { ReachParts } from "#src/sessions/reach.ts";
import type { CallCommands } from "#src/supervision/call-commands.ts";
import type { SupervisionDesk } from "#src/supervision/supervision-desk.ts";
import type { Transcribers } from "#src/transcribers/configured.ts";
import type { MediaLoad } from "#src/voice/media-worker/media-host.ts";
import type { SpeechProviders } from "#src/voice/speech/configured.ts";
import type { VoiceCalls } from "#src/voice/voice-calls.ts";
import type { SipDesk } from "./app-sip.ts";

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
  supervision: SupervisionDesk;
  /** What opening a model of a provider takes, and the function that opens a flow's. */
  models: OpenerParts;
  openModel: OpenModel;
  /** The accounts of carriers. */
  accounts: AccountBook;
  /** What they are opened and checked with. */
  carrierDesk: AccountDeskParts;
  /** Takes what the carriers tell. */
  carrierNews: NewsDesk;
  /** Where the audio of calls arrives that carriers bring over WebSockets. */
  carrierMedia: MediaDesk;
  /** The SIP trunks. */
  sip: SipDesk;
  /** Who carries a message. */
  findMessenger: FindMessenger;
  /** Turns queries into vectors, where the workspace has a model for that. */
  embed: EmbedQuery;
  /** What opening the reach of sessions takes: their tools and services. */
  reach: ReachParts;
  /** The transcription providers that are configured. */
  transcribers: Transcribers;
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
