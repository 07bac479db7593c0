import type { CallRow } from "@parley/sdk";
import { expect, test } from "vitest";
import { parseReply } from "#web/api/exact-json.ts";
import { findMappingFault } from "#web/domain/job/mapping.ts";
import { makeContacts } from "#web/features/jobs/new/contacts.ts";
import { type ChosenPeople, peopleOfCalls, peopleOfContacts } from "./chosen-people.ts";
import type { Contact } from "./contact.ts";

const NOBODY = {
  contactName: null,
  contactEmail: null,
  externalId: null,
  timeZone: null,
  rowData: null,
  contextData: null,
  flowId: "f1",
};
const callOf = (call: object) => ({ ...NOBODY, ...call }) as CallRow;
const rowsOf = async ({ columns, lines }: ChosenPeople) =>
  (await makeContacts(lines, { columns, countryCode: "", skipsRepeated: true })).rows;

test("calls become rows with all that their agent knew, under the names that prompts use", async () => {
  const people = peopleOfCalls([
    callOf({ customerNumber: "+12025550110", contactName: "Ann", rowData: { orderId: "A-1", "First name": "Ann" } }),
    callOf({ customerNumber: "+12025550111", timeZone: "Asia/Tokyo", rowData: { orderId: 7, tags: ["a"] } }),
  ]);
  expect(findMappingFault(people.columns)).toBeNull();
  expect(await rowsOf(people)).toEqual([
    {
      customerNumber: "+12025550110",
      contactName: "Ann",
      rowData: { orderId: "A-1", "First name": "Ann", tags: "" },
    },
    {
      customerNumber: "+12025550111",
      timeZone: "Asia/Tokyo",
      rowData: { orderId: "7", "First name": "", tags: '["a"]' },
    },
  ]);
  expect(people.flowId).toBe("f1");
});

test("context data stays as it came: digits, order and repeated names", async () => {
  const context = '{"crm":12345678901234567890,"1":1.10,"x":-0,"x":[1e3]}';
  const call = parseReply(`{"customerNumber":"+12025550110","contextData":${context}}`) as object;
  const [row] = await rowsOf(peopleOfCalls([callOf(call)]));
  expect(row?.contextText).toBe(context);
});

test("a variable that is called like a field of the contact stays a variable", async () => {
  const people = peopleOfCalls([
    callOf({ customerNumber: "+12025550110", rowData: { customerNumber: "4711", name: "x" } }),
  ]);
  expect(await rowsOf(people)).toEqual([
    { customerNumber: "+12025550110", rowData: { customerNumber: "4711", name: "x" } },
  ]);
});

test("calls of several flows leave the choice of one", () => {
  const calls = ["f1", "f2"].map((flowId) => callOf({ customerNumber: "+12025550110", flowId }));
  expect(peopleOfCalls(calls).flowId).toBeNull();
});

test("contacts become rows with what is known of them", async () => {
  const contacts = [
    { phone: "+12025550110", name: "Ann", email: null },
    { phone: "+12025550111", name: null, email: "b@example.com" },
  ] as Contact[];
  expect(await rowsOf(peopleOfContacts(contacts))).toEqual([
    { customerNumber: "+12025550110", contactName: "Ann" },
    { customerNumber: "+12025550111", contactEmail: "b@example.com" },
  ]);
});
