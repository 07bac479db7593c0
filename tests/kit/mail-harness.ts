import { setTimeout as sleep } from "node:timers/promises";
import { DELIVER_TASK, FINISH_TASK, IDLE_TASK, TURN_TASK } from "#src/interactions/chats/chat-log.ts";
import { createDeliverHandler } from "#src/interactions/chats/deliver.ts";
import { noteDelivery } from "#src/interactions/chats/delivery-reports.ts";
import { createFinishHandler, createIdleHandler } from "#src/interactions/chats/finish.ts";
import { takeMessageIn } from "#src/interactions/chats/inbound.ts";
import { keepTrying } from "#src/interactions/chats/parts.ts";
import { createTurnHandler } from "#src/interactions/chats/turn.ts";
import { TaskLookout } from "#src/platform/queue/lookout.ts";
import type {
  DeliveryReport,
  InboundMessage,
  MessageLookUp,
  Messenger,
  OutgoingMessage,
  SendResult,
} from "#src/telephony/messaging/messenger.ts";
import { SecondNode } from "./second-node.ts";
import type { World } from "./world.ts";

/** A provider of messages that reports by itself, and a node of Parley that sends through it. */
export class MailHarness implements Messenger {
  readonly name = "TWILIO";
  readonly assumesOpenWindow = false;
  readonly absenceIsProof = false;
  horizonMs = 300;
  /** True while an account carries messages. */
  isThere = true;
  /** Every message that was really sent. */
  readonly sent: OutgoingMessage[] = [];
  /** Ids of messages that were looked up. */
  readonly looked: string[] = [];
  /** Result of a send; the default accepts it. */
  onSend: (message: OutgoingMessage) => Promise<SendResult> | SendResult = (message) => this.take(message);
  /** Result of a look-up. */
  found: MessageLookUp = { kind: "ABSENT" };
  readonly second: SecondNode;
  readonly #world: World;
  readonly #tasks: TaskLookout;

  private constructor(world: World, second: SecondNode) {
    this.#world = world;
    this.second = second;
    const { database, openModel, sessionPortParts, node, log } = second;
    const parts = {
      database,
      openModel,
      sessionPortParts,
      findMessenger: async () => (this.isThere ? this : undefined),
    };
    const handlers = new Map([
      [TURN_TASK, keepTrying(createTurnHandler(parts))],
      [DELIVER_TASK, keepTrying(createDeliverHandler(parts))],
      [FINISH_TASK, keepTrying(createFinishHandler(parts))],
      [IDLE_TASK, keepTrying(createIdleHandler(parts))],
    ]);
    this.#tasks = new TaskLookout(database, node, [{ handlers, slots: 8, perWorkspace: 8 }], log);
    second.onClose(() => this.#tasks.stop(1_000));
  }

  /** Sends for the sample workspace, which is LIVE from here on; the world must not work on tasks itself. */
  static async open(world: World): Promise<MailHarness> {
    const harness = new MailHarness(world, await SecondNode.join(world));
    const { workspaceId, phoneNumber } = world.sample;
    await world.database.query("update workspaces set mode = 'LIVE' where id = $1", [workspaceId]);
    await world.database.query("update phone_numbers set provider = 'TWILIO' where id = $1", [phoneNumber.id]);
    harness.#tasks.start();
    return harness;
  }

  async send(message: OutgoingMessage): Promise<SendResult> {
    return this.onSend(message);
  }

  async lookUp({ messageId }: { messageId: string }): Promise<MessageLookUp> {
    this.looked.push(messageId);
    return this.found;
  }

  /** Returns the provider's id of a message of ours. */
  idOf(messageId: string): string {
    return `SM${messageId}`;
  }

  /** Accepts a message as the provider. */
  take(message: OutgoingMessage): SendResult {
    this.sent.push(message);
    return { kind: "ACCEPTED", providerMessageId: this.idOf(message.messageId) };
  }

  /** Writes a message as a person; returns what was stored. */
  write(message: Pick<InboundMessage, "from" | "text"> & Partial<InboundMessage>) {
    const { workspaceId, phoneNumber } = this.#world.sample;
    return takeMessageIn(this.second, workspaceId, {
      channel: "SMS",
      provider: "TWILIO",
      providerMessageId: `MM${Math.random()}`,
      to: phoneNumber.number,
      ...message,
    });
  }

  /** Sends a delivery report as the provider. */
  report(report: Pick<DeliveryReport, "status" | "providerMessageId"> & Partial<DeliveryReport>): Promise<void> {
    const { workspaceId } = this.#world.sample;
    return noteDelivery(this.second.database, workspaceId, { messageId: null, error: null, ...report });
  }

  /** Waits until this many messages were sent to a person; returns them. */
  async sentTo(person: string, count: number): Promise<OutgoingMessage[]> {
    for (let round = 0; round < 500; round++) {
      const found = this.sent.filter(({ to }) => to === person);
      if (found.length >= count) return found;
      await sleep(20);
    }
    throw new Error(`${person} was sent ${this.sent.length} messages.`);
  }
}
