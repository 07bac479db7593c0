import { authentication } from "./authentication";
import { addRows } from "./creates/add-rows";
import { createJob } from "./creates/create-job";
import { placeCall } from "./creates/place-call";
import { sendMessage } from "./creates/send-message";
import { startChat } from "./creates/start-chat";
import { version } from "./package.json";
import { findCall } from "./searches/find-call";
import { findJob } from "./searches/find-job";
import { EVENT_TRIGGERS } from "./triggers/events";
import { flowList, jobList } from "./triggers/lists";

/** Returns the parts by their keys, as Zapier wants them. */
function byKey<Part extends { key: string }>(parts: Part[]): Record<string, Part> {
  return Object.fromEntries(parts.map((part) => [part.key, part]));
}

/** App that Zapier runs; the package's index.js adds the version of the platform. */
export const app = {
  version,
  authentication,
  triggers: { ...byKey(EVENT_TRIGGERS), ...byKey([flowList, jobList]) },
  creates: byKey<{ key: string }>([placeCall, createJob, addRows, startChat, sendMessage]),
  searches: byKey<{ key: string }>([findCall, findJob]),
};
