// What each room may import besides itself. FOUNDATION is what every noun stands on.
const FOUNDATION = ["kernel", "config", "db", "queue", "http", "events"];
const foundationAnd = (rooms) => [...FOUNDATION, ...rooms.split(" ")];

const MAY_IMPORT = {
  kernel: [],
  media: ["kernel"],
  config: ["kernel"],
  db: ["kernel", "config"],
  queue: ["kernel", "db"],
  http: ["kernel", "config", "db"],
  events: ["kernel", "db"],
  workspaces: foundationAnd("compliance"),
  auth: foundationAnd("workspaces"),
  usage: FOUNDATION,
  transcribers: ["kernel", "config", "http", "media"],
  transcriptions: foundationAnd("transcribers usage"),
  compliance: foundationAnd("audit usage"),
  "structured-outputs": FOUNDATION,
  "language-models": foundationAnd("models"),
  tools: foundationAnd("structured-outputs conversation applications"),
  "tool-runs": foundationAnd("tools conversation structured-outputs models"),
  "test-endpoints": foundationAnd("tools"),
  flows: foundationAnd("structured-outputs language-models tools"),
  agents: foundationAnd("flows language-models"),
  applications: foundationAnd("structured-outputs"),
  "opt-out": ["kernel"],
  models: ["kernel", "media", "http", "opt-out"],
  conversation: ["kernel", "media", "models", "opt-out", "structured-outputs"],
  sessions: foundationAnd(
    "agents applications conversation flows language-models models structured-outputs tool-runs tools usage",
  ),
  recordings: foundationAnd("media"),
  voice: ["kernel", "config", "media", "http", "transcribers"],
  "speech-accounts": foundationAnd("audit media voice"),
  contacts: foundationAnd("compliance conversation recordings tool-runs webhooks"),
  personas: ["kernel", "media", "models"],
  carriers: ["kernel", "config", "media", "http", "personas"],
  simulations: foundationAnd(
    "personas call-jobs calls carriers compliance conversation flows language-models media models sessions structured-outputs tool-runs tools usage",
  ),
  "carrier-accounts": foundationAnd("carriers workspaces"),
  "phone-numbers": foundationAnd("carriers carrier-accounts compliance workspaces flows"),
  webhooks: foundationAnd("flows"),
  "webhook-inspector": foundationAnd("tools"),
  calls: foundationAnd(
    "sessions webhooks usage flows phone-numbers workspaces compliance media recordings structured-outputs carriers conversation",
  ),
  "opt-out-reviews": foundationAnd("audit calls compliance contacts opt-out"),
  messengers: ["kernel", "carriers"],
  chats: foundationAnd(
    "contacts sessions tool-runs tools agents language-models usage flows phone-numbers workspaces compliance messengers conversation models opt-out opt-out-reviews structured-outputs webhooks",
  ),
  widget: foundationAnd("chats flows messengers"),
  automations: foundationAnd("calls workspaces"),
  "call-jobs": foundationAnd("automations calls flows phone-numbers workspaces webhooks compliance"),
  dispatch: foundationAnd(
    "contacts sessions usage calls call-jobs phone-numbers carriers conversation models language-models flows webhooks workspaces media opt-out opt-out-reviews recordings structured-outputs compliance voice",
  ),
  supervision: foundationAnd("dispatch voice"),
  "inbound-calls": foundationAnd(
    "calls carriers compliance contacts dispatch flows media phone-numbers usage workspaces",
  ),
  "web-calls": foundationAnd("calls carriers compliance dispatch flows media"),
  audit: FOUNDATION,
  users: foundationAnd("audit auth workspaces"),
  console: foundationAnd("audit users auth workspaces operator calls compliance flows phone-numbers"),
  mcp: foundationAnd("calls"),
  operator: foundationAnd(
    "carrier-accounts automations transcriptions agents applications usage workspaces auth flows phone-numbers structured-outputs compliance calls call-jobs users audit webhook-inspector",
  ),
  // What suites say, and how reports are shown.
  cli: ["kernel", "config", "db", "simulations"],
};

/** Files of src itself that a room may import; the others belong to main.ts and app.ts alone. */
const MAY_IMPORT_TOP = { cli: ["app", "context"] };

/**
 * Single files of a room that would be too much as a whole. The template engine knows no room, and conditions of
 * outputs are checked with it.
 */
const MAY_IMPORT_FILES = { "structured-outputs": ["conversation/template"], flows: ["conversation/template"] };

const roomRules = Object.entries(MAY_IMPORT).map(([room, rooms]) => {
  const reachable = [room, ...rooms].join("|");
  const files = [...(MAY_IMPORT_TOP[room] ?? []), ...(MAY_IMPORT_FILES[room] ?? [])];
  return {
    name: `room-${room}`,
    comment: `${room}/ may import ${rooms.join(", ") || "no other room"}.`,
    severity: "error",
    from: { path: `^src/${room}/`, pathNot: "[.]test[.]ts$" },
    to: {
      path: "^src/",
      pathNot: [`^src/(${reachable})/`, ...(files.length > 0 ? [`^src/(${files.join("|")})[.]ts$`] : [])],
    },
  };
});

export default {
  forbidden: [
    ...roomRules,
    {
      name: "known-room",
      comment: "A new room needs a line in the table above.",
      severity: "error",
      from: { path: "^src/[^/]+/", pathNot: `^src/(${Object.keys(MAY_IMPORT).join("|")})/` },
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
      comment: "A room's store, routes and tasks are its own; others import its <noun>.ts. src/app.ts mounts them.",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: { path: "^src/[^/]+/(store|routes|tasks)[.]ts$", pathNot: "^src/$1/" },
    },
    {
      name: "only-app-mounts",
      comment: "Of the files above the rooms, only app.ts (and app-*.ts) reaches into their private files.",
      severity: "error",
      from: { path: "^src/[^/]+[.]ts$", pathNot: "^src/app[a-z-]*[.]ts$" },
      to: { path: "^src/[^/]+/(store|routes|tasks)[.]ts$" },
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
      from: { path: "^src/", pathNot: "^src/(cli/|main[.]ts$)" },
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
