import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { toneEngine } from "#src/audio/recording/speech-engine.ts";
import { findFlite } from "#src/audio/speech-providers/flite/flite.ts";
import { describeVad } from "#src/audio/vad/describe-vad.ts";
import { MediaHost } from "#src/audio/worker/media-host.ts";
import { createQueryEmbedder } from "#src/authoring/language-models/embeddings.ts";
import { createModelOpener, type OpenerParts } from "#src/authoring/language-models/open-model.ts";
import type { SessionPortParts } from "#src/authoring/session-plans/granted-ports.ts";
import { openToolRuns } from "#src/authoring/tool-runs/tool-runs.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { WEB } from "#src/interactions/calls/new-row.ts";
import { Checkpoints } from "#src/interactions/dispatch/checkpoints.ts";
import { DialFence } from "#src/interactions/dispatch/dial-fence.ts";
import { Dispatcher } from "#src/interactions/dispatch/dispatcher.ts";
import { Inbox } from "#src/interactions/dispatch/inbox.ts";
import { openInstallation } from "#src/interactions/dispatch/installation.ts";
import { Node } from "#src/interactions/dispatch/node.ts";
import { InboundCallHandler } from "#src/interactions/inbound-calls/inbound-call-handler.ts";
import { createRecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import type { WebCallGateway } from "#src/interactions/web-calls/web-call-gateway.ts";
import { WebCarrier } from "#src/interactions/web-calls/web-carrier.ts";
import type { Config } from "#src/platform/config/config.ts";
import { readMasterKey } from "#src/platform/config/secret.ts";
import { DatabaseClock } from "#src/platform/db/database-clock.ts";
import type { Databases } from "#src/platform/db/databases.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch, createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createServer } from "#src/platform/http/server.ts";
import { SpoolRoom } from "#src/platform/http/spool-room.ts";
import { createWebFetch } from "#src/platform/http/web-fetch.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { createSecretBox, type SecretBox } from "#src/platform/kernel/secret-box.ts";
import { TaskLookout } from "#src/platform/queue/lookout.ts";
import { InProcessClient } from "#src/surfaces/mcp/call-api.ts";
import { createCommands } from "#src/surfaces/operator/commands.ts";
import { runChecks } from "#src/surfaces/operator/doctor.ts";
import { bindOperatorSocket, type OperatorSocket, writeServerFile } from "#src/surfaces/operator/socket.ts";
import { allowInspectors, deliverToInspectors } from "#src/surfaces/webhook-inspector/own-fetch.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { isCarrierEvent } from "#src/telephony/carriers/event-shape.ts";
import { createGatekeeper } from "#src/tenancy/auth/gatekeeper.ts";
import { openAccountParts } from "./carrier-accounts.ts";
import { createCarrierEventRouter } from "./carrier-events.ts";
import { type Carriers, createCarriers } from "./carriers.ts";
import { createChatStreams } from "./chats.ts";
import { Closers } from "./closers.ts";
import { offerSetup, openConsole, openConsoleClient } from "./console.ts";
import type { Context } from "./context.ts";
import { openAppDatabase } from "./database.ts";
import { createHousekeeper } from "./housekeeping.ts";
import { createRoutes } from "./routes.ts";
import { createSessionActions } from "./sessions.ts";
import { openSipTrunkManager } from "./sip.ts";
import { describeSpeech, openSpeechProviders, openVoice } from "./speech.ts";
import { openSupervision } from "./supervision.ts";
import { createTaskLanes } from "./tasks.ts";
import { openBatchStt } from "./transcriptions.ts";
import { createSockets, openWebCallGateway } from "./web-calls.ts";

/**
 * Milliseconds that live calls have to end by themselves after a stop was requested. The whole stop takes at most 5 s.
 */
const CALL_GRACE_MS = 1_500;
const TASK_GRACE_MS = 1_000;
/** Milliseconds for a model's whole answer; the engine stops waiting long before. */
const MODEL_DEADLINE_MS = 120_000;
const DIAL_TIMEOUT_MS = 5_000;
/** Milliseconds beyond the ringing time after which a silent carrier is queried. */
const CARRIER_GRACE_MS = 3_000;

/** A running process. */
export interface App {
  url: string;
  /** Link that creates the first account; null once there is one. */
  setupUrl: string | null;
  /** Resolves with the reason when the process cannot go on and only a new one may help; otherwise stays pending. */
  hopeless: Promise<Error>;
  close(): Promise<void>;
}

/** Starts everything for the roles of `config`. After a failure nothing is left running. */
export async function startApp(config: Config, log: Log): Promise<App> {
  const closers = new Closers();
  const { promise: hopeless, resolve: onHopeless } = Promise.withResolvers<Error>();
  try {
    const socket = await bindOperatorSocket(config.dataDir);
    closers.add(() => socket.close());
    const masterKey = readMasterKey(config.secret, config.dataDir);
    const box = createSecretBox(masterKey);
    const databases = await openAppDatabase(config, box, log, (close) => closers.add(close), onHopeless);
    const url = await startRoles(config, log, databases, { masterKey, box }, socket, closers);
    return {
      url,
      setupUrl: await offerSetup(config, databases.requests),
      hopeless,
      close: () => closers.closeAll(log),
    };
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
  databases: Databases,
  keys: Keys,
  socket: OperatorSocket,
  closers: Closers,
): Promise<string> {
  const clock = new DatabaseClock(databases.dispatch.pool, log);
  await clock.start();
  closers.add(() => clock.stop());
  const node = new Node(databases.lease, openInstallation(config.dataDir), log, config.nodeUrl);
  await node.join();
  closers.add(() => node.leave());
  const inbox = new Inbox(databases.dispatch.pool);
  const receive = (event: CarrierEvent) => inbox.receive("sandbox", event);
  const eventsToken = createHmac("sha256", keys.masterKey).update("carrier events").digest("base64url");
  // Called by sessions, whose context the loops are built from; hence the late references.
  const wake = () => {
    loops.dispatcher.wake();
    loops.tasks.wake();
    context.chatStreams.wake();
  };
  const late: { inbound: InboundCallHandler | null } = { inbound: null };
  const context = await createContext(config, log, databases, keys, { wake, inbox, late, node }, closers);
  closers.add(() => context.sessionPortParts.toolRuns.close());
  const carriers = await createCarriers(config, context, receive);
  closers.add(() => carriers.close());
  const webCarrier = new WebCarrier();
  const carrierOf: Carriers["carrierOf"] = async (row) => (row.provider === WEB ? webCarrier : carriers.carrierOf(row));
  const loops: Loops = createLoops(config, context, node, inbox, carrierOf, eventsToken);
  const { dispatcher } = loops;
  node.serve(dispatcher);
  const live = { ...context, database: databases.dispatch };
  const gateway = openWebCallGateway({ ...live, node, carrier: webCarrier, dispatcher });
  const inbound = openInboundCallHandler(live, node, dispatcher);
  late.inbound = inbound;
  await serve(
    config,
    {
      ...context,
      carrierEvents: createCarrierEventRouter({ ...live, inbox, inbound, wake }),
      wakeDispatcher: () => loops.dispatcher.wake(),
      wake,
      liveCalls: () => loops.dispatcher.liveCalls,
      ringPages: () => gateway.ring(),
      receiveSandboxEvent: (token, body) => receiveEvent(inbox, eventsToken, token, body),
    },
    gateway,
    closers,
  );
  startLoops(config, loops, context, closers);
  const doctor = () => checkProcess(config, context);
  socket.open(createCommands({ ...context, sandboxNumbers: carriers.sandboxNumbers, doctor }));
  writeServerFile(config.dataDir, { url: config.publicUrl, pid: process.pid, socket: socket.path });
  return config.publicUrl;
}

function openInboundCallHandler(context: BaseContext, node: Node, dispatcher: Dispatcher): InboundCallHandler {
  // A call is answered only when the agent can hear and speak.
  const reserveAudio = async (workspaceId: string) =>
    (await context.voice.missingFor(workspaceId)) === null ? context.voice.reserve() : null;
  return new InboundCallHandler({ ...context, node, dispatcher, reserveAudio });
}

function checkProcess(config: Config, { database, speechProviders, describeVad: describeVadState }: BaseContext) {
  return runChecks(config, database, {
    describeSpeech: () => describeSpeech(speechProviders),
    describeVad: () => describeVadState(),
  });
}

type BaseContext = Omit<
  Context,
  "wakeDispatcher" | "wake" | "liveCalls" | "receiveSandboxEvent" | "ringPages" | "carrierEvents"
>;

/** Parts from which the context is built, and the one (`late`) that is built from the context. */
interface LateParts {
  wake: () => void;
  inbox: Inbox;
  late: { inbound: InboundCallHandler | null };
  node: Node;
}

async function createContext(
  config: Config,
  log: Log,
  databases: Databases,
  { masterKey, box }: Keys,
  { wake, inbox, late, node }: LateParts,
  closers: Closers,
): Promise<BaseContext> {
  const { allowPrivateNetwork, outboundAllow: allow, publicUrl, dataDir } = config;
  const database = databases.dispatch; // Used by sessions, while a person is on the line.
  const guard = allowInspectors(createOutboundGuard({ allowPrivateNetwork, allow }), publicUrl);
  const safeFetch = deliverToInspectors(createSafeFetch(guard), database.db, publicUrl);
  const batchSttProviders = openBatchStt(config, { guard, safeFetch });
  const [speech, opened] = await Promise.all([
    findFlite({ log, searchPath: process.env.PATH ?? "" }).then((engine) => engine ?? toneEngine),
    openSpeechProviders(config, { guard, safeFetch, log, db: database.db, box }),
  ]);
  const host = new MediaHost({ log, maxCalls: config.maxAudioCalls, vadModel: config.speech.vadModel });
  closers.add(() => host.close());
  const shared = { database, box, log, inbox };
  const ofModels = openModels({ ...shared, guard });
  const chatStreams = createChatStreams(databases.requests, log);
  const accountParts = openAccountParts({ ...shared, safeFetch, publicUrl, masterKey });
  const sip = openSipTrunkManager(config, { ...shared, guard, host, inbound: () => late.inbound });
  closers.add(() => sip.close());
  const sessionPortParts: SessionPortParts = {
    database,
    toolRuns: openToolRuns({ database, log, guard, safeFetch, box, publicUrl }),
    actions: createSessionActions({ database, publicUrl, wake, ...accountParts }),
    embed: ofModels.embed,
  };
  const parts = {
    node,
    ...forRequests(config, databases),
    log,
    guard,
    safeFetch,
    box,
    speech,
    recordings: createRecordingFiles(config, masterKey, log),
    ...opened,
    voice: openVoice(host, opened, { safeFetch, log }),
    mediaLoad: () => host.load,
    ...openSupervision({ database, log, publicUrl, node }),
    describeVad: () => describeVad(config.speech.vadModel, host.vadFault),
    batchSttProviders,
    ...ofModels,
    sessionPortParts,
    chatStreams,
    sip,
    ...accountParts,
  };
  return {
    ...parts,
    ...openConsole(config, databases.requests, log),
    publicUrl,
    spool: new SpoolRoom(join(dataDir, "spool"), config.uploadSpoolMib * 1024 ** 2).empty(),
  };
}

function forRequests(config: Config, databases: Databases): Pick<Context, "database" | "databases" | "embedsDatabase"> {
  return { database: databases.requests, databases, embedsDatabase: !config.databaseUrl };
}

type ModelParts = Pick<Context, "box" | "log" | "guard" | "database">;

function openModels({ box, log, guard, database }: ModelParts): Pick<Context, "models" | "openModel" | "embed"> {
  const fetch = createWebFetch(createSafeOpen(guard), MODEL_DEADLINE_MS);
  const models: OpenerParts = { box, log, scripted: createScriptedModel(), fetch };
  return { models, openModel: createModelOpener(models), embed: createQueryEmbedder(database.db, models) };
}

interface Loops {
  dispatcher: Dispatcher;
  tasks: TaskLookout;
  checkpoints: Checkpoints;
}

function createLoops(
  config: Config,
  context: BaseContext,
  node: Node,
  inbox: Inbox,
  carrierOf: Carriers["carrierOf"],
  eventsToken: string,
): Loops {
  const { databases, log, publicUrl } = context;
  const random = () => Math.random();
  const lanes = createTaskLanes(context, () => dispatcher.wake());
  const tasks = new TaskLookout(databases.jobs, node, lanes, log);
  const checkpoints = new Checkpoints(databases.dispatch.pool, node, log);
  const eventsUrl = `${publicUrl}/api/webhooks/carriers/sandbox/${eventsToken}`;
  const dispatcher: Dispatcher = new Dispatcher(
    {
      database: databases.dispatch,
      node,
      fence: new DialFence(databases.dispatch.pool, node),
      inbox,
      checkpoints,
      openModel: context.openModel,
      sessionPortParts: context.sessionPortParts,
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

async function serve(config: Config, context: Context, gateway: WebCallGateway, closers: Closers): Promise<void> {
  const client = new InProcessClient();
  const gatekeeper = createGatekeeper(context.databases.admission.pool);
  const consoleClient = openConsoleClient(context, gatekeeper);
  closers.add(() => consoleClient.close());
  const server: FastifyInstance = createServer({
    routes: createRoutes(context, { callApi: client.call, testTools: config.mcpTestTools }),
    gatekeeper,
    database: context.database,
    log: context.log,
    publicUrl: context.publicUrl,
    trustProxy: config.trustProxy,
    checkReplies: config.checkReplies,
    sockets: createSockets(gateway, context),
    ...consoleClient.parts,
  });
  client.open(server);
  closers.add(async () => {
    setTimeout(() => server.server.closeAllConnections(), 1_000).unref();
    await server.close();
  });
  // Closed before the server, which waits for its connections.
  closers.add(() => context.chatStreams.close());
  closers.add(() => context.feeds.close());
  closers.add(() => context.carrierMedia.closeAll());
  closers.add(() => gateway.close());
  closers.add(() => context.supervision.close());
  await server.listen({ port: config.port, host: config.host });
}

function startLoops(config: Config, loops: Loops, context: BaseContext, closers: Closers): void {
  const { dispatcher, tasks, checkpoints } = loops;
  // Web calls run in the process to which their page is connected, whatever its roles.
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
  const housekeeper = createHousekeeper(config, { ...context, database: context.databases.housekeeping });
  housekeeper.start();
  closers.add(() => housekeeper.stop());
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
