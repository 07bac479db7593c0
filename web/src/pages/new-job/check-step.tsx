import { Accordion, Alert, Group, Loader, Stack, Table, Text } from "@mantine/core";
import type { Flow } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { formatMoney, formatNumber } from "#web/format/format.ts";
import { Card } from "#web/ui/card.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import type { Contacts } from "./contacts.ts";
import { type Fact, Facts } from "./facts.tsx";
import { ForecastCard } from "./forecast-card.tsx";
import { LineFaults } from "./line-faults.tsx";
import type { NewJobForm, Preflight } from "./new-job.ts";
import { Recap } from "./recap.tsx";
import { type Estimate, useEstimate } from "./use-estimate.ts";
import { JUDGED_ROWS, usePreflight } from "./use-preflight.ts";

/** Who would be called, who would not and why, and what it may cost; nothing has happened yet. */
export function CheckStep({ form, contacts }: { form: NewJobForm; contacts: Contacts }) {
  const read = usePreflight(form, contacts);
  const flow = useRead<Flow>(`/flows/${form.flowId ?? ""}`, undefined, { enabled: form.flowId !== null }).data;
  const people = read.data ? countCallable(read.data, contacts) : 0;
  const estimate = useEstimate(form.flowId === null ? null : flow?.apiId, people);
  return (
    <Stack>
      {read.error && <FaultNote error={read.error} retry={() => void read.refetch()} />}
      {read.isFetching && (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-label="Checking" />
          <Text fz="sm">Asking who may be called…</Text>
        </Group>
      )}
      {read.data && <Verdict found={read.data} contacts={contacts} estimate={estimate} />}
      {read.data && read.data.callableRows > 0 && <ForecastCard form={form} contacts={contacts} people={people} />}
      <Recap form={form} flowName={flow?.name} />
    </Stack>
  );
}

/** People who would be called; of a long list, as many of the rest as of those that were judged. */
function countCallable({ callableRows, totalRows, rejectedRows }: Preflight, { rows }: Contacts): number {
  return Math.round((rows.length * callableRows) / Math.max(1, totalRows + rejectedRows));
}

function Verdict(props: { found: Preflight; contacts: Contacts; estimate: Estimate | null }) {
  const { found, contacts, estimate } = props;
  const { mode } = useWorkspace();
  const unjudged = contacts.rows.length - Math.min(contacts.rows.length, JUDGED_ROWS);
  const called = unjudged > 0 ? `Will be called, of the first ${formatNumber(JUDGED_ROWS)}` : "Will be called";
  const facts: Fact[] = [{ label: called, value: formatNumber(found.callableRows), color: "green" }];
  if (found.waitingForWindowRows > 0)
    facts.push({ label: "Wait for their hours first", value: formatNumber(found.waitingForWindowRows) });
  facts.push({
    label: "Will be skipped",
    value: formatNumber(found.skippedRows),
    ...(found.skippedRows > 0 ? { color: "orange" } : {}),
  });
  if (found.rejectedRows > 0)
    facts.push({ label: "Will not be taken", value: formatNumber(found.rejectedRows), color: "red" });
  if (estimate) facts.push(costFact(estimate));
  return (
    <Stack>
      <Facts facts={facts} />
      {mode === "SANDBOX" && (
        <Text fz="sm" c="dimmed">
          This is a sandbox: the people are simulated, no phone rings and nothing is billed.
        </Text>
      )}
      {unjudged > 0 && (
        <Text fz="sm" c="dimmed">
          The first {formatNumber(JUDGED_ROWS)} people were checked here. The other {formatNumber(unjudged)}, like
          everybody, are checked right before their call.
        </Text>
      )}
      {found.callableRows === 0 && (
        <Alert color="red" variant="light" title="Nobody on this list would be called">
          The reasons are below. A job of them would end at once.
        </Alert>
      )}
      <Reasons reasons={found.reasons} />
      <LineFaults
        title="Lines that will not be taken"
        faults={found.rowErrors}
        more={found.rejectedRows - found.rowErrors.length}
      />
    </Stack>
  );
}

function costFact({ amount, currency, calls, isSimulated }: Estimate): Fact {
  const hint = `As the last ${calls} ${calls === 1 ? "call" : "calls"}, one attempt each`;
  return { label: isSimulated ? "Would cost, if real" : "May cost", value: formatMoney(amount, currency), hint };
}

function Reasons({ reasons }: { reasons: Preflight["reasons"] }) {
  if (reasons.length === 0) return null;
  return (
    <Card title="Skipped, and why" padded={false}>
      <Accordion chevronPosition="left" variant="default">
        {reasons.map(({ code, message, count, rows }) => (
          <Accordion.Item key={code} value={code}>
            <Accordion.Control>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <Text fz="sm">{message}</Text>
                <Text fz="sm" fw={600} className="figures">
                  {formatNumber(count)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Table className="data-table" aria-label={message}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Line</Table.Th>
                    <Table.Th>Number</Table.Th>
                    <Table.Th>External ID</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((row, index) => (
                    <Table.Tr key={index}>
                      <Table.Td>{row.line}</Table.Td>
                      <Table.Td>{row.customerNumber}</Table.Td>
                      <Table.Td>
                        <bdi className="breaks">{row.externalId ?? "–"}</bdi>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {count > rows.length && (
                <Text fz="xs" c="dimmed" mt="xs">
                  The first {rows.length} of {formatNumber(count)}.
                </Text>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Card>
  );
}
