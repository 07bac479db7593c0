import { expect, test } from "vitest";
import { readLines } from "#web/domain/job/csv-text.ts";
import { findMappingFault, guessMapping, toVariable } from "#web/domain/job/mapping.ts";
import { cellText } from "./cell-text.ts";
import { makeContacts, tidyNumber } from "./contacts.ts";
import { formatRange, toRehearsal } from "./forecast.ts";
import { toBody, toCsvFile } from "./job-body.ts";
import { findMissing, NEW_JOB } from "./new-job.ts";

async function contactsOf(text: string, rules: { countryCode?: string; skipsRepeated?: boolean } = {}) {
  const [head, ...lines] = [...readLines(text)];
  const columns = guessMapping(
    head?.cells ?? [],
    lines.map(({ cells }) => cells),
  );
  return makeContacts(lines, { columns, countryCode: "", skipsRepeated: false, ...rules });
}

test("known headers become the contact's fields, others variables that a prompt can name", async () => {
  const { rows, lines } = await contactsOf(
    'Phone;Full Name;First-Name;context_data\n+12025550100;Ann Lee;Ann;"{""crm"":""42""}"\n',
  );
  expect(rows).toEqual([
    {
      customerNumber: "+12025550100",
      contactName: "Ann Lee",
      rowData: { first_name: "Ann" },
      contextText: '{"crm":"42"}',
    },
  ]);
  expect(lines).toEqual([2]);
});

test("a column of numbers is found by what is in it", () => {
  const columns = guessMapping(["who", "ring at"], [["Ann", "+1 202 555 0100"]]);
  expect(columns.map(({ target }) => target)).toEqual(["VARIABLE", "customerNumber"]);
  expect(findMappingFault(guessMapping(["who"], [["Ann"]]))).toMatch(/phone number/);
});

test("numbers are tidied, and get the country's code where they have none", () => {
  const written: [string, string, string][] = [
    ["+1 (202) 555-0100", "", "+12025550100"],
    ["0044 20 7946 0100", "", "+442079460100"],
    ["020 7946 0100", "+44", "+442079460100"],
    ["(202) 555-0100", "+1", "+12025550100"],
    ["12025550100", "1", "+12025550100"],
    ["06 1234 5678", "+39", "+390612345678"],
    ["2025550100", "", "2025550100"],
    ["call me", "+1", "callme"],
  ];
  for (const [text, code, number] of written) expect(tidyNumber(text, code), text).toBe(number);
});

test("lines that cannot be called are told by line and reason, and stop nobody else", async () => {
  const made = await contactsOf('phone,x\n,1\n1.2E+10,1\n+12025550100\n+12025550101,"a\nb"\n+12025550102,1\n');
  expect(made.faults.map(({ line, column }) => [line, column])).toEqual([
    [2, "phone"],
    [3, "phone"],
    [4, ""],
  ]);
  expect(made.faults[1]?.message).toMatch(/spreadsheet/);
  expect(made.lines).toEqual([5, 7]);
});

test("a number with its country code is said to be too short or too long, not to lack its code", async () => {
  const { faults } = await contactsOf("phone\n+44 77 12\n+1202555010012345\n2025550100\n+0123456789\n");
  expect(faults.map(({ message }) => message)).toEqual([
    "+44 77 12 is too short or too long for a phone number.",
    "+1202555010012345 is too short or too long for a phone number.",
    "2025550100 is not a number with its country code, such as +12025550100.",
    "+0123456789 is not a number with its country code, such as +12025550100.",
  ]);
});

test("lines with a number that stood before are counted, and left out when wanted", async () => {
  const text = "phone\n+12025550100\n+1 202 555 0100\n";
  expect(await contactsOf(text)).toMatchObject({ repeated: 1, tidied: 1, rows: { length: 2 } });
  expect((await contactsOf(text, { skipsRepeated: true })).rows).toHaveLength(1);
});

test("lines that make no row are counted: bad ones, and repeated ones where these are skipped", async () => {
  const text = "phone\n+12025550100\n+1 202 555 0100\nnobody\n";
  expect((await contactsOf(text)).leftOut).toBe(1);
  expect((await contactsOf(text, { skipsRepeated: true })).leftOut).toBe(2);
});

test("names of variables are such that a prompt can hold them", () => {
  expect(["First name", "Größe (cm)", "2nd", "¿?"].map(toVariable)).toEqual([
    "first_name",
    "gro_ße_cm",
    "_2nd",
    "column",
  ]);
});

test("context data travels as it was written, digit by digit", async () => {
  const { rows } = await contactsOf('phone,context_data\n+12025550100,"{""n"": 12345678901234567890}"\n');
  const text = await (await toBody({ name: "A" }, rows)).text();
  expect(text).toBe(
    '{"name":"A","rows":[{"customerNumber":"+12025550100","contextData":{"n": 12345678901234567890}}]}',
  );
});

test("a long list becomes a file that reads as the same rows", async () => {
  const source = 'phone,name,note\n+12025550100,"Lee, Ann","said ""yes""\nand left"\n+12025550101,,\n';
  const made = await contactsOf(source);
  const again = await contactsOf(await (await toCsvFile(made.rows)).text());
  expect(again.rows).toEqual(made.rows);
  const long = Array.from({ length: 20_000 }, (_, i) => ({
    customerNumber: `+1202555${String(i).padStart(4, "0")}`,
    contactName: `${"é".repeat(80)}, ${i}`,
  }));
  const { rows } = await contactsOf(await (await toCsvFile(long)).text());
  expect(rows.length).toBe(20_000);
  expect(rows[19_999]).toEqual(long[19_999]);
});

test("a flow's variables that no column gives are told, but not those that its template makes", () => {
  const prompt =
    "Hi {{ first_name }} {{contactName}}, {% for item in items %}{{ item.name }}{% endfor %} {{- slot | upcase }}";
  expect(findMissing([prompt, null, "{{slot}}"], ["first_name"])).toEqual(["slot"]);
});

test("a forecast is asked for with the job's settings, its people's zones, and without its secrets", () => {
  const webhook = { ...NEW_JOB.webhook, url: "https://example.com", secret: "s" };
  const rows = ["Europe/Berlin", "Europe/Berlin", undefined].map((timeZone) => ({
    customerNumber: "+12025550100",
    ...(timeZone === undefined ? {} : { timeZone }),
  }));
  const body = toRehearsal({ ...NEW_JOB, name: "N", webhook }, rows, 3) as { job: object };
  expect(body.job).toMatchObject({ rowCount: 3, timeZones: [{ timeZone: "Europe/Berlin", share: 2 }] });
  expect(Object.keys(body.job)).not.toContain("completionWebhook");
  expect([formatRange(40, 55), formatRange(3_000, 3_000), formatRange(9_000, 72_000)]).toEqual([
    "40 to 55 s",
    "50 min",
    "2.5 to 20 h",
  ]);
});

test("a time in a sheet is a time, without a zone or the year 1899", () => {
  const times = ["1899-12-30T14:30:00.000Z", "2026-11-21T09:29:59.999Z", "2026-11-21T00:00:00.000Z"];
  expect(times.map((time) => cellText(new Date(time)))).toEqual(["14:30", "2026-11-21 09:30", "2026-11-21"]);
  expect([0.1 + 0.2, 4.5, 420_212_345_678, null, true, new Date("")].map(cellText)).toEqual([
    "0.3",
    "4.5",
    "420212345678",
    "",
    "true",
    "",
  ]);
});
