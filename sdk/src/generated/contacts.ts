/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Contact, ContactPage, ContactTimelineEntry, ContactTimelinePage, ContactsListQuery, ContactsTimelineQuery } from "./shapes.ts";

/** Operations of the API that the resource contacts of the client has. */
export class ContactsOperations extends Resource {
  /**
   * List contacts, newest first.
   * Needs CALL_HISTORY_READ or OUTBOUND_CHATS_TRIGGER.
   */
  list(query: ContactsListQuery = {}, options: RequestOptions = {}): Pages<Contact, ContactPage> {
    return this.readPages({ path: pathOf`/contacts`, query }, options);
  }

  /**
   * Read a contact.
   * Needs CALL_HISTORY_READ or OUTBOUND_CHATS_TRIGGER.
   */
  get(id: string, options: RequestOptions = {}): Promise<Contact> {
    return this.sendRequest({ method: "GET", path: pathOf`/contacts/${id}` }, options);
  }

  /**
   * Erase a contact: all that was said and known of them.
   * Transcripts, recordings, messages, names, numbers and variables are gone for good. Counts, costs and outcomes stay, and so does the entry of the do-not-call list. 409 while a call or chat with them is live or waits, or an opt-out review of them is open. 204: all is gone. 202: they have 200 calls or 200 chats or more, which are erased in steps, also after a crash. Nobody dials or writes to them meanwhile; the contact can be read, and a repeat is a 202, until all is gone: then both are 404. Needs DATA_STORES_WRITE.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/contacts/${id}` }, options);
  }

  /**
   * List what happened with a contact by any channel, newest first.
   * Needs CALL_HISTORY_READ or OUTBOUND_CHATS_TRIGGER.
   */
  timeline(id: string, query: ContactsTimelineQuery = {}, options: RequestOptions = {}): Pages<ContactTimelineEntry, ContactTimelinePage> {
    return this.readPages({ path: pathOf`/contacts/${id}/timeline`, query }, options);
  }

  /**
   * Write down that a contact wants no more contact, by any channel.
   * Their number goes on the do-not-call list, with source OPERATOR. Idempotent. Needs CALL_JOBS_WRITE or OUTBOUND_CHATS_TRIGGER.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  optOut(id: string, options: RequestOptions = {}): Promise<Contact> {
    return this.sendRequest({ method: "POST", path: pathOf`/contacts/${id}/opt-out`, takesKey: true }, options);
  }

  /**
   * Take back what an operator wrote down of a contact.
   * 409 for what the person said or wrote themselves. Needs CALL_JOBS_WRITE or OUTBOUND_CHATS_TRIGGER.
   */
  withdrawOptOut(id: string, options: RequestOptions = {}): Promise<Contact> {
    return this.sendRequest({ method: "DELETE", path: pathOf`/contacts/${id}/opt-out` }, options);
  }
}
