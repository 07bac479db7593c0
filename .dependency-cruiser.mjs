/** The groups above the rooms, from the ground up, and the groups that each may import besides itself. */
export const GROUPS = {
  platform: "",
  audio: "platform",
  engine: "platform audio",
  telephony: "platform audio engine",
  tenancy: "platform",
  authoring: "platform audio engine tenancy",
  numbers: "platform telephony tenancy authoring",
  interactions: "platform audio engine telephony tenancy authoring numbers",
  workbench: "platform audio engine telephony tenancy authoring interactions",
  surfaces: "platform tenancy authoring numbers interactions workbench",
  app: "platform audio engine telephony tenancy authoring numbers interactions workbench surfaces",
};

/**
 * The rooms that each room may import besides itself. A room stands below those that import it, so there is no loop.
 * Platform is written as `*`: all of it, and as `-`: all but what knows the database.
 */
export const ROOMS = {
  platform: {
    kernel: "",
    template: "kernel",
    config: "kernel",
    files: "kernel config",
    db: "kernel config",
    http: "kernel files db",
    queue: "kernel db",
    events: "kernel db",
    secrets: "kernel db",
  },
  audio: {
    codec: "",
    rtp: "kernel codec",
    line: "rtp",
    tones: "codec",
    recording: "- codec tones",
    "batch-stt": "-",
    "speech-faults": "- batch-stt",
    tts: "- codec speech-faults",
    stt: "- codec speech-faults tts",
    "speech-providers": "- codec batch-stt speech-faults tts stt tones recording",
    vad: "- codec tones",
    turns: "codec stt vad",
    amd: "codec line stt tones turns",
    worker: "- codec rtp line stt tones vad turns amd recording",
    voice: "- codec line tts stt tones amd recording speech-providers worker",
  },
  engine: {
    "opt-out": "kernel",
    sentiment: "opt-out",
    models: "- opt-out",
    stages: "- models",
    conversation: "- line amd opt-out models stages",
    personas: "- line models",
  },
  telephony: {
    carriers: "- codec rtp line tones personas",
    messaging: "- carriers",
  },
  tenancy: {
    audit: "*",
    auth: "* audit",
    usage: "*",
    compliance: "* audit usage",
    workspaces: "* compliance",
    users: "* audit auth workspaces",
    "sign-on": "* audit users",
  },
  authoring: {
    "language-models": "* models",
    "structured-outputs": "*",
    applications: "* structured-outputs",
    connections: "* audit",
    tools: "* conversation structured-outputs applications connections",
    "tool-packs": "* connections tools",
    flows: "* stages compliance language-models structured-outputs tools",
    "flow-templates": "*",
    agents: "* language-models flows",
    "tool-runs": "* models conversation structured-outputs connections tools",
    "session-plans":
      "* models stages conversation usage compliance language-models structured-outputs applications tools flows agents tool-runs",
    "speech-accounts": "* codec speech-faults tts stt speech-providers audit usage",
  },
  numbers: {
    "carrier-accounts": "* carriers workspaces",
    "phone-numbers": "* carriers compliance workspaces flows carrier-accounts",
  },
  interactions: {
    recordings: "* codec recording",
    webhooks: "* flows",
    calls:
      "* line amd recording stages conversation carriers usage compliance flows session-plans phone-numbers recordings webhooks",
    automations: "* workspaces calls",
    results: "* usage flows calls conversation",
    "call-jobs": "* compliance workspaces flows session-plans phone-numbers webhooks calls automations",
    contacts: "* conversation compliance tool-runs recordings webhooks",
    "lead-sources": "* compliance flows phone-numbers webhooks calls call-jobs",
    "opt-out-reviews": "* opt-out audit compliance calls contacts",
    chats:
      "* opt-out models stages conversation messaging usage compliance workspaces language-models structured-outputs tools flows tool-runs session-plans phone-numbers webhooks contacts opt-out-reviews",
    widget: "* messaging flows chats",
    "call-watch": "* opt-out sentiment conversation calls",
    dispatch:
      "* line voice opt-out models stages conversation carriers usage compliance language-models structured-outputs flows session-plans phone-numbers recordings webhooks calls call-jobs contacts opt-out-reviews call-watch",
    supervision: "* voice calls call-watch dispatch",
    "inbound-calls": "* carriers usage compliance flows phone-numbers calls dispatch",
    "web-calls": "* line carriers usage compliance flows calls dispatch",
  },
  workbench: {
    simulations:
      "* line models stages conversation personas carriers usage compliance language-models structured-outputs tools flows session-plans calls call-jobs",
    transcriptions: "* batch-stt speech-providers usage",
  },
  surfaces: {
    "test-endpoints": "* tools",
    "webhook-inspector": "* tools",
    operator:
      "* audit auth usage compliance workspaces users sign-on structured-outputs applications flows agents carrier-accounts phone-numbers calls automations call-jobs transcriptions webhook-inspector",
    console:
      "* audit compliance workspaces users sign-on flows phone-numbers calls call-jobs call-watch results operator",
    guides: "*",
    mcp: "* calls",
    backup: "* recordings dispatch operator",
    upgrade: "* backup",
    cli: "* flow-templates webhooks simulations backup upgrade",
  },
};

/** The layers of the dashboard (web/src), from the ground up; each may import those before it. */
export const WEB_LAYERS = ["i18n", "api", "ui", "domain", "features", "shell"];

/** The rooms that know the database; engine, audio and telephony do without. */
const DATABASE_ROOMS = ["db", "queue", "events", "secrets"];

const words = (text) => text.split(" ").filter(Boolean);
const groupOf = new Map(
  Object.entries(ROOMS).flatMap(([group, rooms]) => Object.keys(rooms).map((room) => [room, group])),
);

/** Returns the rooms, as GROUP/ROOM, that a line of the table names. */
export function permittedRooms(line) {
  return words(line).flatMap((word) => {
    if (word !== "*" && word !== "-") return [`${groupOf.get(word)}/${word}`];
    const platform = Object.keys(ROOMS.platform).filter((room) => word === "*" || !DATABASE_ROOMS.includes(room));
    return platform.map((room) => `platform/${room}`);
  });
}

const groupRules = Object.entries(GROUPS).map(([group, groups]) => ({
  name: `group-${group}`,
  comment: `${group}/ may import ${words(groups).join(", ") || "no other group"}.`,
  severity: "error",
  from: { path: `^src/${group}/`, pathNot: "[.]test[.]ts$" },
  to: { path: "^src/", pathNot: `^src/(${[group, ...words(groups)].join("|")})/` },
}));

const roomRules = Object.entries(ROOMS).flatMap(([group, rooms]) =>
  Object.entries(rooms).map(([room, line]) => ({
    name: `room-${room}`,
    comment: `${group}/${room}/ may import ${permittedRooms(line).join(", ") || "no other room"}.`,
    severity: "error",
    from: { path: `^src/${group}/${room}/`, pathNot: "[.]test[.]ts$" },
    to: { path: "^src/", pathNot: `^src/(${[`${group}/${room}`, ...permittedRooms(line)].join("|")})/` },
  })),
);

const webRules = WEB_LAYERS.map((layer, i) => ({
  name: `web-${layer}`,
  comment: `web/src/${layer}/ may import ${WEB_LAYERS.slice(0, i).join(", ") || "no other layer"}.`,
  severity: "error",
  from: { path: `^web/src/${layer}/`, pathNot: "[.]test[.]tsx?$" },
  to: { path: "^(web|src)/", pathNot: `^web/src/(${WEB_LAYERS.slice(0, i + 1).join("|")})/` },
}));

/** Carriers, and providers of speech, whose folders know nothing of each other. */
const VENDORS = ["telephony/carriers", "audio/speech-providers"];

export default {
  forbidden: [
    ...groupRules,
    ...roomRules,
    ...VENDORS.map((folder) => ({
      name: "vendors-apart",
      comment: `A folder of ${folder}/ holds one vendor, and imports no other vendor's.`,
      severity: "error",
      from: { path: `^src/${folder}/([^/]+)/`, pathNot: "[.]test[.]ts$" },
      to: { path: `^src/${folder}/[^/]+/`, pathNot: `^src/${folder}/$1/` },
    })),
    ...webRules,
    {
      name: "web-features-apart",
      comment: "A feature of the dashboard imports no other feature; what two of them need is in domain/.",
      severity: "error",
      from: { path: "^web/src/features/([^/]+)/" },
      to: { path: "^web/src/features/", pathNot: "^web/src/features/$1/" },
    },
    {
      name: "known-web-layer",
      comment: "A folder of web/src is one of the layers above.",
      severity: "error",
      from: { path: "^web/src/.+/", pathNot: `^web/src/(${WEB_LAYERS.join("|")})/` },
      to: {},
    },
    {
      name: "known-room",
      comment: "A new room needs a line in the tables above.",
      severity: "error",
      from: {
        path: "^src/.+/",
        pathNot: `^src/(app|${[...groupOf].map(([room, group]) => `${group}/${room}`).join("|")})/`,
      },
      to: {},
    },
    {
      name: "no-circular",
      comment: "Files must not import each other in a circle.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "private-layer",
      comment: "A room's store, routes and tasks are its own; others import its other files. src/app/ mounts them.",
      severity: "error",
      from: { path: "^src/([^/]+/[^/]+)/", pathNot: "^src/app/" },
      to: { path: "^src/.*[/-](store|routes|tasks|sql)[.]ts$", pathNot: "^src/$1/" },
    },
    {
      name: "only-app-mounts",
      comment: "Outside the rooms, only src/app/ reaches into their private files.",
      severity: "error",
      from: { path: "^src/[^/]+[.]ts$" },
      to: { path: "^src/.*[/-](store|routes|tasks|sql)[.]ts$" },
    },
    {
      name: "sdk-stands-alone",
      comment: "The SDK is published, so it imports nothing of the service; of the service, cli/ alone uses it.",
      severity: "error",
      from: { path: "^sdk/" },
      to: { path: "^(src|tests|bench|soak)/" },
    },
    {
      name: "sdk-for-cli-only",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(surfaces/cli/|main[.]ts$)" },
      to: { path: "^sdk/" },
    },
    {
      name: "no-tests-in-source",
      severity: "error",
      from: { path: "^(src|sdk)/", pathNot: "[.]test[.]ts$" },
      to: { path: "([.]test[.]ts$|^tests/)" },
    },
    {
      name: "not-resolvable",
      comment: "A rule cannot judge what it cannot find.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Type-only imports count too: a room that knows another's types knows the room.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
