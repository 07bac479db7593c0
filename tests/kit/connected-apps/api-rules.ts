import type { Vendor } from "./oauth-rules.ts";

type Json = Record<string, unknown>;

/** A request to a vendor's API. */
export interface ApiCall {
  query: URLSearchParams;
  body: Json;
  headers: Record<string, unknown>;
  /** Parts of the path that the rule captured, decoded. */
  path: string[];
}

/** A method of a vendor's API: returns what its document does not allow, and answers the rest. */
export interface ApiRule {
  method: string;
  path: RegExp;
  fault: (call: ApiCall) => string | null;
  status?: number;
  answer: (call: ApiCall) => Json | null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/;
const ZONES: ReadonlySet<unknown> = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);
const at = (value: unknown, ...names: (string | number)[]): unknown =>
  names.reduce<unknown>((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], value);
const text = (value: unknown): boolean => typeof value === "string" && value !== "";
/** Names the first of the values that is not as the document wants it. */
const need = (checks: Record<string, boolean>): string | null =>
  Object.entries(checks).find(([, isRight]) => !isRight)?.[0] ?? null;

/** An event's time: an offset is required unless a time zone is given (Calendar v3, Events, `start.dateTime`). */
const isTime = (point: unknown): boolean => {
  const time = String(at(point, "dateTime"));
  const zone = at(point, "timeZone");
  return zone === undefined ? INSTANT.test(time) : ZONES.has(zone) && (INSTANT.test(time) || LOCAL.test(time));
};

const eventTimes = ({ body }: ApiCall): Record<string, boolean> => ({
  start: isTime(body.start),
  end: isTime(body.end),
  "end after start": String(at(body, "end", "dateTime")) > String(at(body, "start", "dateTime")),
});

/** Times at which the calendar is busy: on the Monday after Berlin's clocks went back by an hour, and in winter. */
const BUSY = [
  ["2026-10-26T07:30:00Z", "2026-10-26T08:30:00Z"],
  ["2026-12-01T08:30:00Z", "2026-12-01T10:00:00Z"],
] as const;

/** Writes an instant in a time zone, with its offset there. */
function inZone(instant: string, timeZone: string): string {
  const local = new Date(instant).toLocaleString("sv", { timeZone }).replace(" ", "T");
  const minutes = (Date.parse(`${local}Z`) - Date.parse(instant)) / 60_000;
  if (minutes === 0) return instant;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

/** Answers a query of free and busy times; `timeZone` is that of the answer, UTC where it is left out. */
function answerFreeBusy({ body }: ApiCall): Json {
  const [from, to] = [Date.parse(String(body.timeMin)), Date.parse(String(body.timeMax))];
  const busy = BUSY.filter(([start, end]) => Date.parse(start) < to && Date.parse(end) > from);
  const write = (instant: string) => inZone(instant, typeof body.timeZone === "string" ? body.timeZone : "UTC");
  return {
    kind: "calendar#freeBusy",
    calendars: {
      [String(at(body, "items", 0, "id"))]: {
        busy: busy.map(([start, end]) => ({ start: write(start), end: write(end) })),
      },
    },
  };
}

/**
 * A sheet's name in A1 notation: in quotes, which double within it, or a word that cannot be read as a cell. Google's
 * guide wants quotes around names with spaces, special characters, or letters and digits together; it writes Sheet1
 * without them.
 */
const isSheet = (range: unknown): boolean => /^('([^']|'')+'|(?![A-Za-z]{1,3}\d+$)[A-Za-z_]\w*)$/.test(String(range));

/** Google Calendar v3 and Sheets v4. */
const GOOGLE: ApiRule[] = [
  {
    method: "POST",
    path: /^\/calendar\/v3\/freeBusy$/,
    fault: ({ body }) =>
      need({
        timeMin: INSTANT.test(String(body.timeMin)),
        timeMax: INSTANT.test(String(body.timeMax)),
        timeZone: ZONES.has(body.timeZone ?? "UTC"),
        items: Array.isArray(body.items) && body.items.every((item) => text(at(item, "id"))),
      }),
    answer: answerFreeBusy,
  },
  {
    method: "POST",
    path: /^\/calendar\/v3\/calendars\/([^/]+)\/events$/,
    fault: (call) =>
      need({
        ...eventTimes(call),
        sendUpdates: ["all", "externalOnly", "none"].includes(call.query.get("sendUpdates") ?? "none"),
        attendees: ((call.body.attendees ?? []) as unknown[]).every((one) => text(at(one, "email"))),
      }),
    answer: ({ body }) => ({ kind: "calendar#event", id: "event1", status: "confirmed", ...body }),
  },
  {
    method: "PATCH",
    path: /^\/calendar\/v3\/calendars\/([^/]+)\/events\/([a-v0-9]+)$/,
    fault: (call) => need(eventTimes(call)),
    answer: ({ body, path }) => ({ kind: "calendar#event", id: path[1], status: "confirmed", ...body }),
  },
  {
    method: "DELETE",
    path: /^\/calendar\/v3\/calendars\/([^/]+)\/events\/([a-v0-9]+)$/,
    fault: () => null,
    status: 204,
    answer: () => null,
  },
  {
    method: "GET",
    path: /^\/v4\/spreadsheets\/([^/]+)\/values\/([^/]+)$/,
    fault: ({ query, path }) =>
      need({
        "Unable to parse range": isSheet(path[1]),
        majorDimension: ["ROWS", "COLUMNS", null].includes(query.get("majorDimension")),
      }),
    // Empty cells at the end of a row are left out.
    answer: ({ path }) => ({
      range: `${path[1]}!A1:Z1000`,
      majorDimension: "ROWS",
      values: [
        ["Order", "Name", "State"],
        ["A-1", "Ada"],
        ["A-2", "Bo", "sent"],
      ],
    }),
  },
  {
    method: "POST",
    path: /^\/v4\/spreadsheets\/([^/]+)\/values\/([^/]+):append$/,
    fault: ({ query, body, path }) =>
      need({
        "Unable to parse range": isSheet(path[1]),
        valueInputOption: ["RAW", "USER_ENTERED"].includes(query.get("valueInputOption") ?? ""),
        insertDataOption: ["OVERWRITE", "INSERT_ROWS", null].includes(query.get("insertDataOption")),
        values: Array.isArray(body.values) && body.values.every((row) => Array.isArray(row)),
      }),
    answer: ({ path }) => ({ spreadsheetId: path[0], updates: { updatedRange: `${path[1]}!A4:B4`, updatedRows: 1 } }),
  },
];

const bookings = "2026-02-25";
const isVersion = ({ headers }: ApiCall, version: string): boolean => headers["cal-api-version"] === version;
const isUtc = (value: unknown): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(String(value));

/** Cal.com API v2. */
const CAL_COM: ApiRule[] = [
  {
    method: "GET",
    path: /^\/v2\/slots$/,
    fault: (call) =>
      need({
        "cal-api-version": isVersion(call, "2024-09-04"),
        eventTypeId: /^\d+$/.test(call.query.get("eventTypeId") ?? ""),
        start: text(call.query.get("start")),
        end: text(call.query.get("end")),
      }),
    answer: ({ query }) => ({
      status: "success",
      data: { [String(query.get("start"))]: [{ start: `${query.get("start")}T09:00:00.000+01:00` }] },
    }),
  },
  {
    method: "POST",
    path: /^\/v2\/bookings$/,
    fault: (call) =>
      need({
        "cal-api-version": isVersion(call, bookings),
        start: isUtc(call.body.start),
        eventTypeId: Number.isInteger(call.body.eventTypeId),
        "attendee.name": text(at(call.body, "attendee", "name")),
        "attendee.timeZone": text(at(call.body, "attendee", "timeZone")),
        "attendee.email": /@/.test(String(at(call.body, "attendee", "email"))),
        "attendee.phoneNumber": /^(undefined|\+\d+)$/.test(String(at(call.body, "attendee", "phoneNumber"))),
      }),
    status: 201,
    answer: ({ body }) => ({
      status: "success",
      data: { id: 7, uid: "booking7", status: "accepted", start: body.start },
    }),
  },
  {
    method: "POST",
    path: /^\/v2\/bookings\/([^/]+)\/reschedule$/,
    fault: (call) => need({ "cal-api-version": isVersion(call, bookings), start: isUtc(call.body.start) }),
    status: 201,
    answer: ({ body }) => ({
      status: "success",
      data: { id: 8, uid: "booking8", status: "accepted", start: body.start },
    }),
  },
  {
    method: "POST",
    path: /^\/v2\/bookings\/([^/]+)\/cancel$/,
    fault: (call) =>
      need({
        "cal-api-version": isVersion(call, bookings),
        cancellationReason: /^(undefined|string)$/.test(typeof call.body.cancellationReason),
      }),
    answer: ({ path }) => ({ status: "success", data: { uid: path[0], status: "cancelled" } }),
  },
];

const strings = (value: unknown): boolean =>
  Object.values((value ?? {}) as Json).every((member) => typeof member === "string");

/** HubSpot CRM v3. */
const HUBSPOT: ApiRule[] = [
  {
    method: "POST",
    path: /^\/crm\/v3\/objects\/contacts\/search$/,
    fault: ({ body }) => {
      const filter = at(body, "filterGroups", 0, "filters", 0);
      return need({
        propertyName: text(at(filter, "propertyName")),
        operator: ["EQ", "NEQ", "IN"].includes(String(at(filter, "operator"))),
        value: text(at(filter, "value")),
        limit: Number.isInteger(body.limit),
        properties: Array.isArray(body.properties),
      });
    },
    answer: () => ({ total: 1, results: [{ id: "501", properties: { email: "ada@example.com" } }] }),
  },
  {
    method: "POST",
    path: /^\/crm\/v3\/objects\/contacts$/,
    fault: ({ body }) => need({ properties: strings(body.properties), email: text(at(body, "properties", "email")) }),
    status: 201,
    answer: ({ body }) => ({ id: "502", properties: body.properties }),
  },
  {
    method: "POST",
    path: /^\/crm\/v3\/objects\/notes$/,
    fault: ({ body }) =>
      need({
        hs_timestamp: INSTANT.test(String(at(body, "properties", "hs_timestamp"))),
        "associations.to.id": text(at(body, "associations", 0, "to", "id")),
        associationCategory: at(body, "associations", 0, "types", 0, "associationCategory") === "HUBSPOT_DEFINED",
        associationTypeId: at(body, "associations", 0, "types", 0, "associationTypeId") === 202,
      }),
    status: 201,
    answer: ({ body }) => ({ id: "601", properties: body.properties }),
  },
  {
    method: "PATCH",
    path: /^\/crm\/v3\/objects\/deals\/(\d+)$/,
    fault: ({ body }) => need({ properties: strings(body.properties) }),
    answer: ({ path, body }) => ({ id: path[0], properties: body.properties }),
  },
];

/** A statement as SOQL reads it: one literal, in which a quote is escaped. */
const SOQL = /^SELECT [\w, .]+ FROM (Lead|Contact) WHERE (Email|Phone) = '((?:[^'\\]|\\['"\\])*)' LIMIT \d+$/;

/** Salesforce REST API. */
const SALESFORCE: ApiRule[] = [
  {
    method: "GET",
    path: /^\/services\/data\/v\d+\.0\/query$/,
    fault: ({ query }) => need({ MALFORMED_QUERY: SOQL.test(query.get("q") ?? "") }),
    answer: ({ query }) => ({
      totalSize: 1,
      done: true,
      records: [{ Id: "00Q000000000001", Name: "Ada", searched: SOQL.exec(query.get("q") ?? "")?.[3] }],
    }),
  },
  {
    method: "POST",
    path: /^\/services\/data\/v\d+\.0\/sobjects\/Task$/,
    fault: ({ body }) =>
      need({
        WhoId: /^\w{15}(\w{3})?$/.test(String(body.WhoId)),
        ActivityDate: /^(undefined|\d{4}-\d{2}-\d{2})$/.test(String(body.ActivityDate)),
        "known fields": Object.keys(body).every((name) =>
          ["WhoId", "Subject", "Description", "ActivityDate", "Status"].includes(name),
        ),
      }),
    status: 201,
    answer: () => ({ id: "00T000000000001", success: true, errors: [] }),
  },
  {
    method: "PATCH",
    path: /^\/services\/data\/v\d+\.0\/sobjects\/Lead\/(\w{15}(?:\w{3})?)$/,
    // A null would clear the field.
    fault: ({ body }) => need({ strings: strings(body), something: Object.keys(body).length > 0 }),
    status: 204,
    answer: () => null,
  },
];

/** Slack Web API. */
const SLACK: ApiRule[] = [
  {
    method: "POST",
    path: /^\/api\/chat\.postMessage$/,
    fault: ({ body, headers }) =>
      need({
        invalid_charset: /^application\/json; charset=utf-8$/i.test(String(headers["content-type"])),
        no_text: text(body.text),
        channel_not_found: /^C\w+$/.test(String(body.channel)),
      }),
    answer: ({ body }) => ({ ok: true, channel: body.channel, ts: "1700000000.000100", message: { text: body.text } }),
  },
];

/** Methods of each vendor's API that the tool packs use. */
export const API_RULES: Record<Vendor, ApiRule[]> = { GOOGLE, CAL_COM, HUBSPOT, SALESFORCE, SLACK };
