import { CLEAR_TASK, createClearTask } from "#src/authoring/agents/clear-knowledge.ts";
import { createEmbedding, createEmbeddingRenewal } from "#src/authoring/agents/embed-tasks.ts";
import { FILE_EXPIRY_TASK } from "#src/authoring/agents/knowledge-files.ts";
import { EMBED_TASK, INDEX_TASK } from "#src/authoring/agents/knowledge-items.ts";
import { createFileExpiry, createIndexer } from "#src/authoring/agents/tasks.ts";
import { EMBEDDINGS_CHANGED_TASK } from "#src/authoring/language-models/language-models.ts";
import { createAutomationTasks } from "#src/interactions/automations/tasks.ts";
import { CANCEL_TASK, createCancelTask } from "#src/interactions/call-jobs/cancel-task.ts";
import { COMPLETION_TASK } from "#src/interactions/call-jobs/completion.ts";
import { createImportTasks } from "#src/interactions/call-jobs/import-task.ts";
import { createRetryTask, RETRY_TASK } from "#src/interactions/call-jobs/retry-task.ts";
import { createWaitsTask, WAITS_TASK } from "#src/interactions/calls/end-waits.ts";
import { hasPendingOutputs } from "#src/interactions/calls/output-fill.ts";
import { releaseHeldRows } from "#src/interactions/calls/queue-rows.ts";
import { createEraseTask, ERASE_TASK } from "#src/interactions/contacts/erase.ts";
import { createForgetHandler, FORGET_TASK } from "#src/interactions/contacts/forget-deliveries.ts";
import { createOutputFiller, FILL_TASK } from "#src/interactions/dispatch/fill-outputs.ts";
import type { CallParts } from "#src/interactions/dispatch/live-call.ts";
import { ERASE_RECORDINGS_TASK } from "#src/interactions/recordings/recordings.ts";
import { createRecordingEraser } from "#src/interactions/recordings/tasks.ts";
import { createWebCallExpiry } from "#src/interactions/web-calls/expiry.ts";
import { EXPIRY_TASK } from "#src/interactions/web-calls/web-calls.ts";
import { createCompletionDelivery, type DeliveryParts } from "#src/interactions/webhooks/deliver.ts";
import { createSessionDelivery } from "#src/interactions/webhooks/session-delivery.ts";
import { SESSION_TASK } from "#src/interactions/webhooks/session-webhooks.ts";
import { createStopTask, STOP_TASK } from "#src/interactions/webhooks/stop-deliveries.ts";
import { createNumberTasks, type NumberTaskParts } from "#src/numbers/phone-numbers/tasks.ts";
import { IMPORTS_PER_NODE } from "#src/platform/db/databases.ts";
import { now } from "#src/platform/kernel/clock.ts";
import type { TaskPool } from "#src/platform/queue/queue.ts";
import { ECHO_TASK } from "#src/surfaces/test-endpoints/async-echo.ts";
import { createEchoCallback } from "#src/surfaces/test-endpoints/tasks.ts";
import { SIMULATION_TASK } from "#src/workbench/simulations/runs.ts";
import { createSimulationRunner } from "#src/workbench/simulations/tasks.ts";
import { TRANSCRIPTION_TASK } from "#src/workbench/transcriptions/recordings.ts";
import { createTranscriptionRunner, type TranscriptionParts } from "#src/workbench/transcriptions/run-transcription.ts";
import { type ChatTaskParts, createChatTasks } from "./chats.ts";
import type { Core } from "./core.ts";
import type { Models } from "./models.ts";
import { createAudioPath } from "./simulations.ts";

/** Dependencies of the tasks. */
export interface TaskParts
  extends
    Core,
    Models,
    Omit<ChatTaskParts, "database">,
    Pick<CallParts, "voice" | "recordings">,
    Pick<TranscriptionParts, "batchSttProviders" | "spool">,
    Pick<NumberTaskParts, "accounts"> {
  /** Wakes the dispatcher of this process. */
  wakeDispatcher: () => void;
}

/**
 * Returns the pools of tasks of the outbox, each shared fairly by the workspaces. Chats have a pool of their own, so that they
 * never wait. Webhook receivers, echoes and carriers may take 15 s, so they have their own slots. So has embedding,
 * whose server may take a minute. Work on files has few slots, because this machine does it, and imports have as many
 * as there are connections for them.
 */
export function createTaskPools(parts: TaskParts): TaskPool[] {
  const { databases, voice, models, wakeDispatcher } = parts;
  const database = databases.jobs;
  const context = { ...parts, database };
  const { db } = database;
  const random = () => Math.random();
  const hasPending: DeliveryParts["hasPendingOutputs"] = (id, of) => hasPendingOutputs(db, id, of);
  const delivery = { ...parts, db, random, now, hasPendingOutputs: hasPending };
  const simulation = { ...context, scripted: models.scripted, openAudioLine: createAudioPath(voice) };
  return [
    {
      handlers: new Map([
        ...createChatTasks({ ...parts, database: databases.dispatch }),
        [EXPIRY_TASK, createWebCallExpiry(databases.dispatch)],
      ]),
      slots: 32,
      perWorkspace: 24,
    },
    {
      handlers: new Map([
        [COMPLETION_TASK, createCompletionDelivery(delivery)],
        [SESSION_TASK, createSessionDelivery(delivery)],
        [ECHO_TASK, createEchoCallback(context)],
        ...createNumberTasks(context),
      ]),
      slots: 64,
      perWorkspace: 16,
      perEndpoint: 8,
    },
    createLongWork(context),
    {
      handlers: new Map(createImportTasks(databases.connection, IMPORTS_PER_NODE, wakeDispatcher)),
      slots: IMPORTS_PER_NODE,
      perWorkspace: 1,
      isLongWork: true,
    },
    { handlers: new Map([[EMBED_TASK, createEmbedding(context)]]), slots: 16, perWorkspace: 8, isLongWork: true },
    { handlers: new Map([[FILL_TASK, createOutputFiller(context)]]), slots: 8, perWorkspace: 6 },
    {
      handlers: new Map([[SIMULATION_TASK, createSimulationRunner(simulation)]]),
      // All runs together hold only as many conversations at once as two runs would.
      slots: 8,
      perWorkspace: 1,
      isLongWork: true,
    },
  ];
}

/** Returns the pool of work that may take minutes, for which nobody waits on the line. */
function createLongWork(parts: TaskParts & Pick<TranscriptionParts, "database">): TaskPool {
  const { database, recordings } = parts;
  return {
    handlers: new Map([
      [INDEX_TASK, createIndexer(parts)],
      [EMBEDDINGS_CHANGED_TASK, createEmbeddingRenewal(parts)],
      [FILE_EXPIRY_TASK, createFileExpiry(database)],
      [CLEAR_TASK, createClearTask(database)],
      [TRANSCRIPTION_TASK, createTranscriptionRunner(parts)],
      [ERASE_TASK, createEraseTask(database, releaseHeldRows)],
      [FORGET_TASK, createForgetHandler(database)],
      [CANCEL_TASK, createCancelTask(database)],
      [RETRY_TASK, createRetryTask(database)],
      [WAITS_TASK, createWaitsTask(database)],
      [STOP_TASK, createStopTask(database)],
      [ERASE_RECORDINGS_TASK, createRecordingEraser(database, recordings)],
      ...createAutomationTasks(database),
    ]),
    slots: 16,
    perWorkspace: 8,
    isLongWork: true,
  };
}
