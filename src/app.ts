import { createHmac, timingSafeEqual } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { moveOrphans } from "#src/audit/intents.ts";
import { trimRequests } from "#src/audit/request-log.ts";
import { createGatekeeper } from "#src/auth/gatekeeper.ts";
import { WEB } from "#src/calls/new-row.ts";
import type { CarrierEvent } from "#src/carriers/carrier.ts";
import { isCarrierEvent } from "#src/carriers/event-shape.ts";
import type { Config } from "#src/config/config.ts";
import { readMasterKey } from "#src/config/secret.ts";
import { forgetConversations } from "#src/contacts/erase.ts";
import type { Database } from "#src/db/database.ts";
import { forgetExpired } from "#src/db/retention.ts";
import { Checkpoints } from "#src/dispatch/checkpoints.ts";
import { Dispatcher } from "#src/dispatch/dispatcher.ts";
import { Inbox } from "#src/dispatch/inbox.ts";
import { Node } from "#src/dispatch/node.ts";
import { createOutboundGuard } from "#src/http/outbound-guard.ts";
import { createSafeFetch, createSafeOpen } from "#src/http/safe-fetch.ts";
import { createServer } from "#src/http/server.ts";
import { openSpool } from "#src/http/upload.ts";
import { createWebFetch } from "#src/http/web-fetch.ts";
import { InboundDesk } from "#src/inbound-calls/inbound-desk.ts";
import { AppError, toError } from "#src/kernel/errors.ts";
import type { Log } from "#src/kernel/log.ts";
import { createSecretBox, type SecretBox } from "#src/kernel/secret-box.ts";
import { createQueryEmbedder } from "#src/language-models/embeddings.ts";
import { createModelOpener, type OpenerParts } from "#src/language-models/open-model.ts";
import { ApiDoor } from "#src/mcp/call-api.ts";
import { findFlite } from "#src/media/flite.ts";
import { toneEngine } from "#src/media/speech.ts";
import { createScriptedModel } from "#src/models/scripted/scripted-model.ts";
import { createCommands } from "#src/operator/commands.ts";
import { runChecks } from "#src/operator/doctor.ts";
import { bindOperatorSocket, type OperatorSocket, writeServerFile } from "#src/operator/socket.ts";
import { TaskWorker } from "#src/queue/queue.ts";
import { RecordingKeeper } from "#src/recordings/keeper.ts";
import { createRecordingFiles } from "#src/recordings/recording-files.ts";
import type { ReachParts } from "#src/sessions/reach.ts";
import { openToolRuns } from "#src/tool-runs/tool-runs.ts";
import { rollUpUsage } from "#src/usage/roll-up.ts";
import { describeVad } from "#src/voice/media-worker/describe-vad.ts";
import { MediaHost } from "#src/voice/media-worker/media-host.ts";
import { WebCarrier } from "#src/web-calls/web-carrier.ts";
import type { WebDesk } from "#src/web-calls/web-desk.ts";
import { allowInspectors, deliverToInspectors } from "#src/webhook-inspector/own-fetch.ts";
import { openAccountParts } from "./app-carrier-accounts.ts";
import { createNewsDesk } from "./app-carrier-news.ts";
import { type Carriers, createCarriers } from "./app-carriers.ts";
import { createChatStreams } from "./app-chats.ts";
import { offerSetup, openConsole, openConsoleDoor } from "./app-console.ts";
import { openAppDatabase } from "./app-database.ts";
import { createRoutes } from "./app-routes.ts";
import { createSessionActs } from "./app-sessions.ts";
import { openSipDesk } from "./app-sip.ts";
import { describeSpeech, openSpeechProviders, openVoice } from "./app-speech.ts";
import { openSupervision } from "./app-supervision.ts";
import { createTaskLanes, TaskWorkers } from "./app-tasks.ts";
import { openTranscribers } from "./app-transcriptions.ts";
import { createSockets, openWebDesk } from "./app-web-calls.ts";
import type { Context } from "./context.ts";

/** Live calls may end by themselves this long after a stop was asked for; the whole stop takes at most 5 s. */
const CALL_GRACE_MS = 1_500;
const TASK_GRACE_MS = 1_000;
/** For a model's whole answer; the engine gives up long before. */
const MODEL_DEADLINE_MS = 120_000;
const HOUSEKEEPING_MS = 60_000;
const DIAL_TIMEOUT_MS = 5_000;
/** How long beyond the ringing time a carrier may be silent before it is asked. */
const CARRIER_GRACE_MS = 3_000;

/** A running process. */
export interface App {
  url: string;
  /** The link that makes the first account; null once there is one. */
  setupUrl: string | null;
  close(): Promise<void>;
}

/** Things to close, in the reverse of the order they were opened. */
class Closers {
  readonly #closers: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  async closeAll(log: Log): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        log.warn("Something could not be closed cleanly.", { error: toError(error).message });
      }
    }
  }
}

/** Starts everything that the roles of `config` ask for; on a failure nothing is left running. */
export async function startApp(config: Config, log: Log): Promise<App> {
  const closers = new Closers();
  try {
    const socket = await bindOperatorSocket(config.dataDir);
    closers.add(() => socket.close());
    const masterKey = readMasterKey(config.secret, config.dataDir);
    const box = createSecretBox(masterKey);
    const database = await openAppDatabase(config, box, log, (close) => closers.add(close));
    const url = await startRoles(config, log, database, { masterKey, box }, socket, closers);
    return { url, setupUrl: await offerSetup(config, database), close: () => closers.closeAll(log) };
  } catch (error) {
    await closers.closeAll(log);
    throw error;
  }
}

interface Keys {
  masterKey: Buffer;
  box: SecretBox;
}

async function startRoles(
  config: Config,
  log: Log,
  database: Database,
  keys: Keys,
  socket: OperatorSocket,
  closers: Closers,
): Promise<string> {
  const node = new Node(database, `${hostname()}|${config.dataDir}`, log, config.nodeUrl);
  await node.join();
  closers.add(() => node.leave());
  const inbox = new Inbox(database.pool);
  const receive = (event: CarrierEvent) => inbox.receive("sandbox", event);
  const eventsToken = createHmac("sha256", keys.masterKey).update("carrier events").digest("base64url");
  // Rung by sessions, which are built from the context that the loops are built from.
  const wake = () => {
    loops.dispatcher.wake();
    loops.tasks.wake();
    context.chatStreams.wake();
  };
  const late: { inbound: InboundDesk | null } = { inbound: null };
  const context = await createContext(config, log, database, keys, { wake, inbox, late, nodeId: node.id }, closers);
  closers.add(() => context.reach.toolRuns.close());
  const carriers = await createCarriers(config, context, receive);
  closers.add(() => carriers.close());
  const webCarrier = new WebCarrier();
  const carrierOf: Carriers["carrierOf"] = async (row) => (row.provider === WEB ? webCarrier : carriers.carrierOf(row));
  const loops: Loops = createLoops(config, context, node.id, inbox, carrierOf, eventsToken);
  const { dispatcher } = loops;
  const desk = openWebDesk({ ...context, nodeId: node.id, carrier: webCarrier, dispatcher });
  const inbound = openInboundDesk(context, node.id, dispatcher);
  late.inbound = inbound;
  await serve(
    config,
    {
      ...context,
      carrierNews: createNewsDesk({ ...context, inbox, inbound, wake }),
      wakeDispatcher: () => loops.dispatcher.wake(),
      wake,
      liveCalls: () => loops.dispatcher.liveCalls,
      ringPages: () => desk.ring(),
      receiveSandboxEvent: (token, body) => receiveEvent(inbox, eventsToken, token, body),
    },
    desk,
    closers,
  );
  startLoops(config, loops, context, closers);
  const doctor = () => checkProcess(config, context);
  socket.open(createCommands({ ...context, sandboxNumbers: carriers.sandboxNumbers, doctor }));
  writeServerFile(config.dataDir, { url: config.publicUrl, pid: process.pid, socket: socket.path });
  return config.publicUrl;
}

function openInboundDesk(context: BaseContext, nodeId: string, dispatcher: Dispatcher): InboundDesk {
  // Nobody is answered by an agent that can neither hear nor speak.
  const reserveAudio = async (workspaceId: string) =>
    (await context.voice.missingFor(workspaceId)) === null ? context.voice.reserve() : null;
  return new InboundDesk({ ...context, nodeId, dispatcher, reserveAudio });
}

function checkProcess(config: Config, { database, speechProviders, describeVad: tellVad }: BaseContext) {
  return runChecks(config, database, {
    describeSpeech: () => describeSpeech(speechProviders),
    describeVad: () => tellVad(),
  });
}

type BaseContext = Omit<
  Context,
  "wakeDispatcher" | "wake" | "liveCalls" | "receiveSandboxEvent" | "ringPages" | "carrierNews"
>;

/** What the context is built from, and what is built from the context in turn. */
interface LateParts {
  wake: () => void;
  inbox: Inbox;
  late: { inbound: InboundDesk | null };
  nodeId: string;
}

async function createContext(
  config: Config,
  log: Log,
  database: Database,
  { masterKey, box }: Keys,
  { wake, inbox, late, nodeId }: LateParts,
  closers: Closers,
): Promise<BaseContext> {
  const { allowPrivateNetwork, outboundAllow: allow, publicUrl, dataDir } = config;
  const guard = allowInspectors(createOutboundGuard({ allowPrivateNetwork, allow }), publicUrl);
  const safeFetch = deliverToInspectors(createSafeFetch(guard), database.db, publicUrl);
  const transcribers = openTranscribers(config, { guard, safeFetch });
  const [speech, opened] = await Promise.all([
    findFlite({ log, searchPath: process.env.PATH ?? "" }).then((engine) => engine ?? toneEngine),
    openSpeechProviders(config, { guard, safeFetch, log, db: database.db, box }),
  ]);
  const host = new MediaHost({ log, maxCalls: config.maxAudioCalls, vadModel: config.speech.vadModel });
  closers.add(() => host.close());
  const ofModels = openModels({ box, log, guard, database });
  const chatStreams = createChatStreams(database, log);
  const shared = { database, box, log, inbox };
  const accountParts = openAccountParts({ ...shared, safeFetch, publicUrl, masterKey });
  const sip = openSipDesk(config, { ...shared, guard, host, inbound: () => late.inbound });
  closers.add(() => sip.close());
  const reach: ReachParts = {
    database,
    toolRuns: openToolRuns({ database, log, guard, safeFetch, box, publicUrl }),
    acts: createSessionActs({ database, publicUrl, wake, ...accountParts }),
    embed: ofModels.embed,
  };
  const parts = {
    nodeId,
    database,
    log,
    guard,
    safeFetch,
    box,
    speech,
    recordings: createRecordingFiles(config, masterKey, log),
    ...opened,
    voice: openVoice(host, opened, { safeFetch, log }),
    mediaLoad: () => host.load,
    ...openSupervision({ database, log, publicUrl, nodeId }),
    describeVad: () => describeVad(config.speech.vadModel, host.vadFault),
    transcribers,
    ...ofModels,
    reach,
    chatStreams,
    sip,
    ...accountParts,
  };
  return { ...parts, ...openConsole(config, database, log), publicUrl, spoolFolder: openSpool(join(dataDir, "spool")) };
}

type ModelParts = Pick<Context, "box" | "log" | "guard" | "database">;

function openModels({ box, log, guard, database }: ModelParts): Pick<Context, "models" | "openModel" | "embed"> {
  const fetch = createWebFetch(createSafeOpen(guard), MODEL_DEADLINE_MS);
  const models: OpenerParts = { box, log, scripted: createScriptedModel(), fetch };
  return { models, openModel: createModelOpener(models), embed: createQueryEmbedder(database.db, models) };
}

interface Loops {
  dispatcher: Dispatcher;
  tasks: TaskWorkers;
  checkpoints: Checkpoints;
}

function createLoops(
  config: Config,
  context: BaseContext,
  nodeId: string,
  inbox: Inbox,
  carrierOf: Carriers["carrierOf"],
  eventsToken: string,
): Loops {
  const { database, log, publicUrl } = context;
  const random = () => Math.random();
  const lanes = createTaskLanes(context, () => dispatcher.wake());
  const tasks = new TaskWorkers(lanes.map((lane) => new TaskWorker(database, nodeId, lane, log)));
  const checkpoints = new Checkpoints(database.pool, nodeId, log);
  const eventsUrl = `${publicUrl}/api/webhooks/carriers/sandbox/${eventsToken}`;
  const dispatcher: Dispatcher = new Dispatcher(
    {
      database,
      nodeId,
      inbox,
      checkpoints,
      openModel: context.openModel,
      reach: context.reach,
      voice: context.voice,
      recordings: context.recordings,
      liveCalls: context.liveAudio,
      log,
      carrierOf,
      closeMedia: (attemptId) => context.carrierMedia.close(attemptId),
      eventsUrl,
      random,
      dialTimeoutMs: DIAL_TIMEOUT_MS,
      graceMs: CARRIER_GRACE_MS,
    },
    config.maxLiveCalls,
    () => tasks.wake(),
    log,
  );
  return { dispatcher, tasks, checkpoints };
}

async function serve(config: Config, context: Context, desk: WebDesk, closers: Closers): Promise<void> {
  const door = new ApiDoor();
  const gatekeeper = createGatekeeper(context.database.limiterPool);
  const consoleDoor = openConsoleDoor(context, gatekeeper);
  closers.add(() => consoleDoor.close());
  const server: FastifyInstance = createServer({
    routes: createRoutes(context, { callApi: door.call, testTools: config.mcpTestTools }),
    gatekeeper,
    database: context.database,
    log: context.log,
    publicUrl: context.publicUrl,
    trustProxy: config.trustProxy,
    checkReplies: config.checkReplies,
    sockets: createSockets(desk, context),
    ...consoleDoor.parts,
  });
  door.open(server);
  closers.add(async () => {
    setTimeout(() => server.server.closeAllConnections(), 1_000).unref();
    await server.close();
  });
  // Before the server: it waits for its connections.
  closers.add(() => context.chatStreams.close());
  closers.add(() => context.feeds.close());
  closers.add(() => context.carrierMedia.closeAll());
  closers.add(() => desk.close());
  closers.add(() => context.supervision.close());
  await server.listen({ port: config.port, host: config.host });
}

function startLoops(config: Config, loops: Loops, context: BaseContext, closers: Closers): void {
  const { database, log, recordings } = context;
  const { dispatcher, tasks, checkpoints } = loops;
  // Calls over the web run where their page is connected, whatever the roles.
  checkpoints.start();
  context.callCommands.start();
  if (config.roles.includes("dispatch")) {
    context.sip.start();
    dispatcher.start();
  }
  closers.add(async () => {
    await dispatcher.stop(CALL_GRACE_MS);
    await context.callCommands.stop();
    await checkpoints.stop();
  });
  if (!config.roles.includes("jobs")) return;
  tasks.start();
  closers.add(() => tasks.stop(TASK_GRACE_MS));
  const keeper = new RecordingKeeper(database, recordings, config.recordings.retentionDays);
  const housekeeping = setInterval(() => {
    Promise.all([
      forgetExpired(database),
      forgetConversations(database),
      trimRequests(database.limiterPool),
      moveOrphans(database.pool),
      rollUpUsage(database.pool),
      keeper.tidy(),
    ]).catch((error: unknown) => {
      log.warn("Old records could not be put away.", { error: toError(error).message });
    });
  }, HOUSEKEEPING_MS);
  closers.add(() => clearInterval(housekeeping));
}

async function receiveEvent(
  inbox: Inbox,
  expected: string,
  token: string,
  body: Record<string, unknown>,
): Promise<void> {
  const given = Buffer.from(token);
  const wanted = Buffer.from(expected);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new AppError("NOT_FOUND");
  if (!isCarrierEvent(body)) throw new AppError("INVALID_BODY", "This is not a carrier event.");
  await inbox.receive("sandbox", body as CarrierEvent);
}
