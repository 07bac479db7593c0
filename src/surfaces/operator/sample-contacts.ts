/**
 * The last two digits determine the result (docs/sandbox.md): most answer, some are busy, away, a machine, or not to be
 * called.
 */
const PEOPLE: [code: string, name: string, appointment: string][] = [
  ["00", "Ada Lindqvist", "Tuesday 9:30"],
  ["01", "Bruno Marchetti", "Tuesday 10:00"],
  ["02", "Chidi Okafor", "Tuesday 10:30"],
  ["03", "Dana Whitfield", "Tuesday 11:00"],
  ["05", "Elena Duarte", "Tuesday 11:30"],
  ["06", "Farid Haddad", "Tuesday 13:00"],
  ["07", "Greta Nilsson", "Tuesday 13:30"],
  ["08", "Hiro Tanabe", "Tuesday 14:00"],
  ["09", "Ines Carvalho", "Tuesday 14:30"],
  ["10", "Jonas Weber", "Wednesday 9:30"],
  ["11", "Kaya Yilmaz", "Wednesday 10:00"],
  ["12", "Liam O'Brien", "Wednesday 10:30"],
  ["13", "Mei Chen", "Wednesday 11:00"],
  ["14", "Noor Rahman", "Wednesday 11:30"],
  ["20", "Olga Petrova", "Wednesday 13:00"],
  ["23", "Pavel Novak", "Wednesday 13:30"],
  ["30", "Quinn Harper", "Wednesday 14:00"],
  ["31", "Rosa Jimenez", "Wednesday 14:30"],
  ["32", "Samir Patel", "Thursday 9:30"],
  ["50", "Tove Berg", "Thursday 10:00"],
];

/** Twenty simulated people, as rows of a call job. */
export const SAMPLE_CONTACTS = PEOPLE.map(([code, name, appointment]) => ({
  customerNumber: `+120255501${code}`,
  contactName: name,
  externalId: `demo-${code}`,
  rowData: { first_name: name.split(" ")[0] ?? "", appointment },
}));

/** Returns the same people as a CSV file. */
export function sampleCsv(): string {
  const lines = SAMPLE_CONTACTS.map(({ customerNumber, contactName, externalId, rowData }) =>
    [customerNumber, contactName, externalId, rowData.first_name, rowData.appointment].join(","),
  );
  return ["phone,name,external_id,first_name,appointment", ...lines, ""].join("\r\n");
}
