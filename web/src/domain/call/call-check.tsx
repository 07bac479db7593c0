import { Alert } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { FirstCall, Preflight } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { stringifyExactly } from "#web/api/exact-json.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { sayFault, sayReason } from "#web/api/server-texts.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { ReadFault } from "#web/ui/load-state.tsx";
import { FirstCallCard } from "./first-call-card.tsx";
import { checkJson, type PlaceCallValues, toPlaceCall } from "./place-call.ts";
import { describeEstimate, useEstimate } from "./use-estimate.ts";

const PAUSE_MS = 500;
const NUMBER = /^\+[1-9]\d{6,14}$/;

/** Asks the server what a call would be, a moment after the form was changed; undefined while it cannot be asked. */
export function useCallCheck(values: PlaceCallValues) {
  const { id } = useWorkspace();
  const mayAsk = useMay("CALL_JOBS_WRITE");
  const [body] = useDebouncedValue(toBody(values), PAUSE_MS);
  return useQuery<Preflight>({
    queryKey: [id, "call-check", body],
    enabled: mayAsk && body !== null,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    placeholderData: (before) => (body === null ? undefined : before),
    queryFn: ({ signal }) =>
      send("POST", inWorkspace(id, "/call-jobs/preflight"), {
        body: new Blob([body ?? ""], { type: "application/json" }),
        headers: { "content-type": "application/json" },
        signal,
      }),
  });
}

/** The call as a job of one; null while the form cannot be sent. */
function toBody(values: PlaceCallValues): string | null {
  if (checkJson(values.rowData) !== null || checkJson(values.contextData) !== null) return null;
  const { flowApiId, fromPhoneNumber, ...row } = toPlaceCall(values);
  if (!NUMBER.test(row.customerNumber)) return null;
  const body = stringifyExactly({
    ...(flowApiId ? { flowApiId } : {}),
    ...(fromPhoneNumber ? { fromPhoneNumber } : {}),
    rows: [row],
  });
  return body ?? null;
}

/** Effect of the button: the agent's first words, hours and cost, or why nobody is called. */
export function CallCheck({ check }: { check: ReturnType<typeof useCallCheck> }) {
  if (check.error) return <ReadFault read={check} />;
  if (!check.data) return null;
  const { reasons, waits, rowErrors, firstCall } = check.data;
  const refused = reasons[0] ? sayReason(reasons[0]) : rowErrors[0] && sayFault(rowErrors[0]);
  return (
    <>
      {refused !== undefined && (
        <Alert color="red" variant="light" title={t`This person would not be called`}>
          {refused}
        </Alert>
      )}
      {waits.map(({ code, message }) => (
        <Alert key={code} color="orange" variant="light" title={t`The call would wait`}>
          {sayReason({ code, message })}
        </Alert>
      ))}
      {firstCall && <CheckedCall call={{ ...firstCall, line: null }} />}
    </>
  );
}

function CheckedCall({ call }: { call: FirstCall }) {
  const estimate = useEstimate(call.flowApiId, 1);
  const cost = estimate && describeEstimate(estimate);
  const more = cost ? [{ label: cost.label, value: `${cost.value}, ${cost.hint}` }] : [];
  return <FirstCallCard call={call} title={t`The call, as it will be heard`} more={more} />;
}
