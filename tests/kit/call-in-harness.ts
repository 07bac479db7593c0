import { randomUUID } from "node:crypto";
import type { Heard, Line } from "#src/audio/line/line.ts";
import { Checkpoints } from "#src/interactions/dispatch/checkpoints.ts";
import { DialFence } from "#src/interactions/dispatch/dial-fence.ts";
import { Dispatcher } from "#src/interactions/dispatch/dispatcher.ts";
import { Inbox } from "#src/interactions/dispatch/inbox.ts";
import { LiveCalls } from "#src/interactions/dispatch/live-calls.ts";
import { type CallBringer, InboundCallHandler } from "#src/interactions/inbound-calls/inbound-call-handler.ts";
import { createRecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import { RecordingKeys } from "#src/interactions/recordings/recording-keys.ts";
import { readConfig } from "#src/platform/config/config.ts";
import { KeyRing } from "#src/platform/kernel/key-ring.ts";
import type { InboundCall, WebhookAnswer } from "#src/telephony/carriers/account.ts";
import type { AskedAttempt, Carrier, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import { SecondNode } from "./second-node.ts";
import type { World } from "./world.ts";

/** Behaviour of a caller: says these lines, and then hangs up, unless they stay until `leave` is called. */
interface Person {
  says: string[];
  stays: boolean;
}

/** Call time at which everything happens; the billed amounts follow from it. */
const CALL_MS = 900;

/** A caller on a line of words. */
class Caller implements Line {
  readonly heard: string[] = [];
  readonly #person: Person;
  #isGone = Promise.withResolvers<void>();

  constructor(person: Person) {
    this.#person = { ...person, says: [...person.says] };
  }

  leave(): void {
    this.#isGone.resolve();
  }

  async say(text: string) {
    this.heard.push(text);
    return { heard: text, startMs: this.elapsedMs(), endMs: this.elapsedMs(), interrupted: false, hungUp: false };
  }

  async listen(_timeoutMs: number, signal: AbortSignal): Promise<Heard> {
    const text = this.#person.says.shift();
    if (text !== undefined) return { kind: "SPEECH", text, startMs: this.elapsedMs(), endMs: this.elapsedMs() };
    const isCut = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    if (this.#person.stays) await Promise.race([this.#isGone.promise, isCut]);
    return { kind: "HUNG_UP", endMs: this.elapsedMs() };
  }

  async sendDigits(): Promise<void> {
    // Nobody listens for keys.
  }

  async hangUp(): Promise<void> {
    this.leave();
  }

  elapsedMs(): number {
    return CALL_MS;
  }
}

/** A carrier with one account for incoming calls, and a node of Parley that takes them. */
export class CallInHarness {
  readonly accountId = randomUUID();
  /** Answers that the carrier was given, in order: ANSWER, BUSY or UNAVAILABLE with its id of the call. */
  readonly reported: string[] = [];
  readonly hungUp: string[] = [];
  readonly looked: string[] = [];
  /** Lines opened, by the carrier's id of the call. */
  readonly lines = new Map<string, Caller>();
  /** Result of a look-up. */
  found: LookUpResult = { kind: "UNCERTAIN", message: "Nobody knows." };
  /** Called while a call is being answered. */
  onAnswer: ((attemptId: string) => Promise<void>) | undefined;
  /** Number of times that finding the carrier of a call still fails. */
  faults = 0;
  /** Number of further calls whose audio still has room. */
  room = 1_000;
  readonly account: CallBringer;
  readonly harness: InboundCallHandler;
  readonly second: SecondNode;
  readonly dispatcher: Dispatcher;
  readonly #persons = new Map<string, Person>();
  readonly #workspaceId: string;

  private constructor(world: World, second: SecondNode, maxLiveCalls: number) {
    this.#workspaceId = world.sample.workspaceId;
    this.second = second;
    this.account = this.#createAccount();
    const { database, log, sessionPortParts, openModel, node } = second;
    const checkpoints = new Checkpoints(database.pool, node, log);
    const liveCalls = new LiveCalls();
    const unused = { hasNoAudio: true } as never;
    const keys = new RecordingKeys(new KeyRing(Buffer.alloc(32)));
    const recordings = createRecordingFiles(readConfig({ DATA_DIR: world.dataDir }), keys, log, "");
    this.dispatcher = new Dispatcher(
      {
        database,
        node,
        fence: new DialFence(database.pool, node, log),
        inbox: new Inbox(database.pool),
        checkpoints,
        openModel,
        sessionPortParts,
        voice: unused,
        recordings,
        onRecorded: () => undefined,
        liveCalls,
        log,
        carrierOf: async () => {
          if (this.faults-- > 0) throw new Error("The database is away.");
          return this.#createCarrier();
        },
        eventsUrl: () => "",
        random: () => 0.5,
        dialTimeoutMs: 1_000,
        graceMs: 1_000,
      },
      maxLiveCalls,
      () => undefined,
      log,
    );
    second.onClose(() => this.dispatcher.stop(0));
    const reserveAudio = async () => {
      if (this.room === 0) return null;
      this.room--;
      return () => void this.room++;
    };
    this.harness = new InboundCallHandler({ database, log, node, dispatcher: this.dispatcher, reserveAudio });
  }

  /** Gives the sample workspace's number to the account, in a LIVE workspace. */
  static async open(world: World, { maxLiveCalls = 100 } = {}): Promise<CallInHarness> {
    const harness = new CallInHarness(world, await SecondNode.join(world), maxLiveCalls);
    const { workspaceId, phoneNumber } = world.sample;
    await world.database.query("update workspaces set mode = 'LIVE' where id = $1", [workspaceId]);
    await world.database.query(
      "update phone_numbers set provider = 'TWILIO', asked_provider = 'TWILIO', carrier_account_id = $2 where id = $1",
      [phoneNumber.id, harness.accountId],
    );
    return harness;
  }

  /** Sets how the person of a call behaves. */
  expect({ providerCallId }: InboundCall, person: Partial<Person> = {}): void {
    this.#persons.set(providerCallId, { says: [], stays: false, ...person });
  }

  /** Rings as an incoming call; returns the answer that the carrier got. */
  ring(call: InboundCall, person: Partial<Person> = {}): Promise<WebhookAnswer> {
    this.expect(call, person);
    return this.harness.take({ workspaceId: this.#workspaceId, account: this.account, call });
  }

  #createAccount(): CallBringer {
    const answer = (word: string, { providerCallId }: InboundCall): Promise<WebhookAnswer> => {
      this.reported.push(`${word} ${providerCallId}`);
      return Promise.resolve({ status: 200, headers: {}, body: word });
    };
    return {
      id: this.accountId,
      answerCall: async (call, attemptId) => {
        await this.onAnswer?.(attemptId);
        return answer(`ANSWER ${attemptId}`, call);
      },
      declineCall: (call, why) => answer(why, call),
    };
  }

  #createCarrier(): Carrier {
    return {
      name: "twilio",
      capabilities: { dedupe: null, looksUpBy: "CALL_ID", absenceIsProof: false, horizonMs: 60_000 },
      dial: () => Promise.reject(new Error("A call that came in is never dialled.")),
      lookUp: async ({ providerCallId }: AskedAttempt) => {
        this.looked.push(String(providerCallId));
        return this.found;
      },
      hangUp: async (providerCallId) => void this.hungUp.push(providerCallId),
      openLine: (providerCallId) => {
        const caller = new Caller(this.#persons.get(providerCallId) as Person);
        this.lines.set(providerCallId, caller);
        return caller;
      },
    };
  }
}
