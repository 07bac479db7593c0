import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { findSpeechPrograms, type SpeechPrograms } from "#src/audio/speech-providers/speech-programs.ts";
import { describeVad } from "#src/audio/vad/describe-vad.ts";
import { openToolRuns } from "#src/authoring/tool-runs/tool-runs.ts";
import { WEB } from "#src/interactions/calls/new-row.ts";
import { Inbox } from "#src/interactions/dispatch/inbox.ts";
import { InboundCallHandler, type InboundParts } from "#src/interactions/inbound-calls/inbound-call-handler.ts";
import type { RecordingKeys } from "#src/interactions/recordings/recording-keys.ts";
import type { WebCallGateway } from "#src/interactions/web-calls/web-call-gateway.ts";
import { WebCarrier } from "#src/interactions/web-calls/web-carrier.ts";
import type { Config, Role } from "#src/platform/config/config.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { Databases } from "#src/platform/db/databases.ts";
import { createServer } from "#src/platform/http/server.ts";
import { SpoolRoom } from "#src/platform/http/spool-room.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { ProcessLog } from "#src/platform/kernel/log.ts";
import { createSecretBox } from "#src/platform/kernel/secret-box.ts";
import { HELD_MESSAGE, isHeld } from "#src/surfaces/backup/hold.ts";
import { InProcessClient } from "#src/surfaces/mcp/call-api.ts";
import { createCommands } from "#src/surfaces/operator/commands.ts";
import { runChecks } from "#src/surfaces/operator/doctor.ts";
import { type OperatorSocket, writeServerFile } from "#src/surfaces/operator/socket.ts";
import { createGatekeeper } from "#src/tenancy/auth/gatekeeper.ts";
import { type RefusedUse, RefusedUses } from "#src/tenancy/auth/refused-uses.ts";
import { needsSetup } from "#src/tenancy/users/users.ts";
import { hasWorkspace } from "#src/tenancy/workspaces/store.ts";
import { type AccountParts, openAccountParts } from "./carrier-accounts.ts";
import { createCarrierEventRouter } from "./carrier-events.ts";
import { type Carriers, createCarriers } from "./carriers.ts";
import { createChatStreams } from "./chats.ts";
import type { Closers } from "./closers.ts";
import { offerSetup, openConsole, openConsoleClient } from "./console.ts";
import { type Core, openCore } from "./core.ts";
import { openAppDatabase } from "./database.ts";
import { Drain } from "./drain.ts";
import { type Ground, openGround } from "./ground.ts";
import { findWarnings } from "./health.ts";
import { createLoops, startLoops, Waker } from "./loops.ts";
import { openModels } from "./models.ts";
import { createRoutes, type RouteParts } from "./routes.ts";
import { openSandboxEvents } from "./sandbox-events.ts";
import { openSecrets, type Secrets } from "./secrets.ts";
import { createSessionActions } from "./sessions.ts";
import { openSipTrunkManager } from "./sip.ts";
import { type Audio, describeSpeech, openAudio } from "./speech.ts";
import { describeRecordings, openRecordings, type Recordings } from "./storage.ts";
import { openSupervision } from "./supervision.ts";
import { openBatchStt } from "./transcriptions.ts";
import { createSockets, openWebCallGateway } from "./web-calls.ts";

/**
 * Milliseconds in which the first requests are answered before the loops start, whose first looks open eight connections at
 * once.
 */
const REST_MS = 30;

/** A running process. */
export interface App {
  url: string;
  /** Link that creates the first account; null once there is one. */
  setupUrl: string | null;
  /** True when the start found no workspace. */
  isEmpty: boolean;
  /** Resolves with the reason when the process cannot go on and only a new one may help; otherwise stays pending. */
  hopeless: Promise<Error>;
  /** Lets live calls go on before `close`. */
  drain: Drain;
  /** Closes everything. Calls that are still live have a moment to end, and are then cut off. */
  close(): Promise<void>;
}

/** Starts everything for the roles of `config`, on its ground if that is open. After a failure nothing is left running. */
export async function startApp(config: Config, log: ProcessLog, ground?: Ground): Promise<App> {
  const { socket, secret, connection, hopeless, onHopeless, closers } = ground ?? (await openGround(config, log));
  const { keys } = secret;
  try {
    // Tried while the database is looked at.
    const programs = findSpeechPrograms(process.env.PATH ?? "");
    const box = createSecretBox(keys);
    const databases = await openAppDatabase(config, await connection, secret, log, closers);
    const core = await openCore(config, { databases, log, box, keys }, closers);
    const secrets = await openSecrets(config, core, onHopeless);
    closers.add(() => secrets.close());
    const held = await isHeld(databases.requests.pool);
    if (held) log.warn(HELD_MESSAGE);
    // A held process answers requests; its loops for calls and tasks stand still.
    const roles: Role[] = held ? ["api"] : config.roles;
    // Asked while the server is built: its first requests would wait for the connection.
    const contents = lookInto(databases.requests);
    const { drain, beginWork } = await startRoles(
      { ...config, roles },
      { ...core, isHeld: held },
      { secrets, programs, socket },
      closers,
    );
    const { isEmpty, hasNobody } = await contents;
    const setupUrl = hasNobody ? await offerSetup(config, databases.requests) : null;
    const timer = setTimeout(beginWork, REST_MS);
    closers.add(() => clearTimeout(timer));
    return { drain, url: config.publicUrl, setupUrl, isEmpty, hopeless, close: () => closers.closeAll(log) };
  } catch (error) {
    await closers.closeAll(log);
    throw error;
  }
}

/** Returns what an installation has. Its failure is told to those who wait for it. */
function lookInto({ db }: Database): Promise<{ isEmpty: boolean; hasNobody: boolean }> {
  const found = hasWorkspace(db).then(async (has) => ({ isEmpty: !has, hasNobody: await needsSetup(db) }));
  found.catch(() => undefined);
  return found;
}

/** Starts to answer requests; the loops start by `beginWork`. */
async function startRoles(
  config: Config,
  core: Core & Pick<RouteParts, "isHeld">,
  opened: { secrets: Secrets; programs: Promise<SpeechPrograms>; socket: OperatorSocket },
  closers: Closers,
): Promise<{ drain: Drain; beginWork: () => void }> {
  const { secrets, programs, socket } = opened;
  const { databases, node, keys, publicUrl } = core;
  const inbox = new Inbox(databases.dispatch.pool);
  const sandboxEvents = openSandboxEvents(inbox, keys, publicUrl);
  const wakers = { dispatcher: new Waker(), loops: new Waker() };
  const given = { recordingKeys: secrets.recordingKeys, programs, inbox, wakers };
  const services = await openServices(config, core, given, closers);
  const carriers = openCarriers(config, services, inbox, closers);
  const webCarrier = new WebCarrier();
  const carrierOf: Carriers["carrierOf"] = async (row) =>
    row.provider === WEB ? webCarrier : (await carriers).carrierOf(row);
  const closeMedia = (attemptId: string) => services.carrierMedia.close(attemptId);
  const loops = createLoops(config, { ...services, ...sandboxEvents, inbox, carrierOf, closeMedia });
  const { dispatcher, tasks } = loops;
  wakers.dispatcher.add(dispatcher);
  wakers.loops.add(dispatcher, tasks, services.chatStreams);
  node.serve(dispatcher);
  const live = { ...services, database: databases.dispatch, dispatcher };
  const gateway = openWebCallGateway({ ...live, carrier: webCarrier });
  const drain = new Drain({ ...services, dispatcher, tasks, gateway, drainSeconds: config.drainSeconds });
  const inbound = openInboundCallHandler(live);
  const events = createCarrierEventRouter({ ...live, inbox, inbound });
  const server = buildServer(
    config,
    {
      ...services,
      ...sandboxEvents,
      events,
      drain,
      embedsDatabase: !config.databaseUrl,
      isHeld: core.isHeld,
      metricsToken: config.metricsToken,
      taskKinds: tasks.kinds,
      liveCalls: () => dispatcher.liveCalls,
      ringPages: () => gateway.ring(),
    },
    gateway,
    closers,
  );
  const { sandboxNumbers } = await carriers;
  await server.listen({ port: config.port, host: config.host });
  const doctor = () => checkProcess(config, databases, { ...services, isHeld: core.isHeld });
  socket.open(createCommands({ ...services, database: databases.requests, sandboxNumbers, doctor, drain, secrets }));
  writeServerFile(config.dataDir, { url: publicUrl, pid: process.pid, socket: socket.path });
  const beginWork = () => {
    // An operator may be faster.
    if (drain.status.state === "DRAINING") return;
    if (!core.isHeld) services.mover?.start();
    startLoops(config, loops, { ...services, inbound }, closers);
  };
  return { drain, beginWork };
}

/** Opens the carriers, which reads the ledger of the sandbox. Their failure is told to those who wait for them. */
function openCarriers(
  config: Config,
  services: Parameters<typeof createCarriers>[1],
  inbox: Inbox,
  closers: Closers,
): Promise<Carriers> {
  const carriers = createCarriers(config, services, (event) => inbox.receive("sandbox", event));
  carriers.catch(() => undefined);
  closers.add(async () => (await carriers).close());
  return carriers;
}

/** Parts from which the services are built. */
interface ServiceParts {
  recordingKeys: RecordingKeys;
  programs: Promise<SpeechPrograms>;
  inbox: Inbox;
  wakers: Record<"dispatcher" | "loops", Waker>;
}

/** Opens what calls, chats and routes work with, on the pool of those for whom a person is on the line. */
async function openServices(config: Config, core: Core, given: ServiceParts, closers: Closers) {
  const { recordingKeys, programs, inbox, wakers } = given;
  const { log, databases } = core;
  const live = { ...core, database: databases.dispatch };
  const { wake } = wakers.loops;
  const found = await programs;
  const batchSttProviders = openBatchStt(config, core);
  const audio = openAudio(config, core, found, closers);
  const models = openModels(core);
  const accounts = openAccountParts({ ...core, inbox });
  const sip = openSipTrunkManager(config, { ...core, inbox, host: audio.host });
  closers.add(() => sip.close());
  const toolRuns = openToolRuns(live);
  closers.add(() => toolRuns.close());
  const actions = createSessionActions({ ...live, findMessenger: accounts.findMessenger, wake });
  return {
    ...core,
    ...audio,
    ...models,
    ...accounts,
    ...openSupervision(live),
    ...openConsole(config, core),
    batchSttProviders,
    sip,
    sessionPortParts: { database: live.database, toolRuns, actions, embed: models.embed },
    ...openRecordings(config, core, recordingKeys, closers),
    chatStreams: createChatStreams(databases.requests, log),
    spool: new SpoolRoom(join(config.dataDir, "spool"), config.uploadSpoolMib * 1024 ** 2).empty(),
    wake,
    wakeDispatcher: wakers.dispatcher.wake,
  };
}

function openInboundCallHandler(parts: Omit<InboundParts, "reserveAudio"> & Pick<Audio, "voice">): InboundCallHandler {
  // A call is answered only when the agent can hear and speak.
  const reserveAudio = async (workspaceId: string) =>
    (await parts.voice.missingFor(workspaceId)) === null ? parts.voice.reserve() : null;
  return new InboundCallHandler({ ...parts, reserveAudio });
}

type CheckedParts = Audio & Recordings & Pick<RouteParts, "isHeld" | "storage">;

function checkProcess(config: Config, { requests }: Databases, parts: CheckedParts) {
  const { speechProviders, host, mover } = parts;
  return runChecks(config, requests, {
    findWarnings: () => findWarnings(parts),
    describeRecordings: () => describeRecordings(config, mover),
    describeSpeech: () => describeSpeech(speechProviders),
    describeVad: () => describeVad(config.speech.vadModel, host.vadFault),
  });
}

function buildServer(
  config: Config,
  context: RouteParts & Pick<AccountParts, "carrierMedia">,
  gateway: WebCallGateway,
  closers: Closers,
): FastifyInstance {
  const { databases, log, publicUrl } = context;
  const client = new InProcessClient();
  const refusedUses = new RefusedUses(databases.requests.db, (error) =>
    log.warn("The refusal of a credential could not be audited.", { error: toError(error).message }),
  );
  const onRefused = (use: RefusedUse) => refusedUses.note(use);
  const gatekeeper = createGatekeeper(databases.admission.pool, onRefused);
  const consoleClient = openConsoleClient(context, gatekeeper);
  closers.add(() => consoleClient.close());
  const server: FastifyInstance = createServer({
    routes: createRoutes(
      context,
      {
        callApi: client.call,
        readCaller: async (presented, address) => (await gatekeeper.admit(presented, address, false)).caller,
        testTools: config.mcpTestTools,
      },
      onRefused,
    ),
    gatekeeper,
    database: databases.requests,
    box: context.box,
    log,
    publicUrl,
    trustProxy: config.trustProxy,
    checkReplies: config.checkReplies,
    isDraining: () => context.drain.status.state === "DRAINING",
    sockets: createSockets(gateway, context),
    onAnswered: context.metrics.onAnswered,
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
  return server;
}
