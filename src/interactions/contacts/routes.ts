import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { E164, Type, Uuid } from "#src/platform/http/schemas.ts";
import { readSort, sortQuery } from "#src/platform/http/sorting.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { Contact, getContact, optOut, takeBackOptOut, toContact } from "./contacts.ts";
import { eraseContact } from "./erase.ts";
import { CONTACTS_SORTED_BY, countContacts, ensureCalled, listContacts } from "./store.ts";
import { getTimeline, TimelineEntry } from "./timeline.ts";

const PATH = "/api/external/v1/contacts";
const READ = ["CALL_HISTORY_READ", "OUTBOUND_CHATS_TRIGGER"];
const WRITE = ["CALL_JOBS_WRITE", "OUTBOUND_CHATS_TRIGGER"];
const common = { audience: "external", tag: "Contacts" } as const;
const params = Type.Object({ id: Uuid });
const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: "^[^\\u0000]*$", description }));

/** Routes of contacts and their timelines; all extensions. */
export function contactRoutes(database: Database): Route[] {
  return [...readRoutes(database), ...optOutRoutes(database), eraseRoute(database)];
}

function readRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List contacts, newest first (extension)",
      query: Type.Object({
        ...pageQuery,
        phone: Type.Optional(E164),
        email: text(320, "The whole address, in any case."),
        identifier: text(200, "contactIdentifier of a chat."),
        name: text(500, "How the name begins, in any case."),
        sort: sortQuery(
          CONTACTS_SORTED_BY,
          "Default: -createdAt. By name, only contacts with one are listed, in any case.",
        ),
      }),
      replies: { 200: pageOf(Contact, "ContactPage") },
      async run({ caller: { workspaceId }, query: { phone, email, identifier, name, sort: sortedBy, ...paging } }) {
        const page = readPage(paging);
        const filter = { phone, email, identifier, name };
        if (phone !== undefined) await ensureCalled(db, workspaceId, uuidv7(), phone);
        const sort = readSort(sortedBy, "-createdAt");
        const rows = await listContacts(db, workspaceId, filter, sort, page);
        return toPage(page, rows.map(toContact), () => countContacts(db, workspaceId, filter, sort));
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}`,
      access: READ,
      summary: "Read a contact (extension)",
      params,
      replies: { 200: Contact },
      run: ({ caller, params: { id } }) => getContact(db, caller.workspaceId, id),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}/timeline`,
      access: READ,
      summary: "List what happened with a contact by any channel, newest first (extension)",
      params,
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(TimelineEntry, "ContactTimelinePage") },
      run: ({ caller: { workspaceId }, params: { id }, query }) => getTimeline(db, workspaceId, id, readPage(query)),
    }),
  ];
}

function optOutRoutes({ db }: Database): Route[] {
  const shared = { ...common, path: `${PATH}/{id}/opt-out`, access: WRITE, params, replies: { 200: Contact } };
  return [
    route({
      ...shared,
      method: "POST",
      summary: "Write down that a contact wants no more contact, by any channel (extension)",
      description: "Their number goes on the do-not-call list, with source OPERATOR. Idempotent.",
      idempotent: true,
      run: ({ tx, caller, params: { id } }) => optOut(tx, caller.workspaceId, id),
    }),
    route({
      ...shared,
      method: "DELETE",
      summary: "Take back what an operator wrote down of a contact (extension)",
      description: "409 for what the person said or wrote themselves.",
      run: ({ caller, params: { id } }) => db.transaction().execute((tx) => takeBackOptOut(tx, caller.workspaceId, id)),
    }),
  ];
}

function eraseRoute({ db }: Database): Route {
  return route({
    ...common,
    method: "DELETE",
    path: `${PATH}/{id}`,
    access: ["DATA_STORES_WRITE"],
    summary: "Erase a contact: all that was said and known of them (extension)",
    description:
      "Transcripts, recordings, messages, names, numbers and variables are gone for good. Counts, costs and outcomes stay, and so does the entry of the do-not-call list. 409 while a call or chat with them is live or waits, or an opt-out review of them is open. 204: all is gone. 202: they have 200 calls or 200 chats or more, which are erased in steps, also after a crash. Nobody dials or writes to them meanwhile; the contact can be read, and a repeat is a 202, until all is gone: then both are 404.",
    params,
    replies: { 202: null, 204: null },
    async run({ caller, params: { id } }) {
      const state = await db.transaction().execute((tx) => eraseContact(tx, caller.workspaceId, id));
      return new Reply(state === "ERASED" ? 204 : 202, null);
    },
  });
}
