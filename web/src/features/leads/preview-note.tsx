import { Alert, Stack, Text } from "@mantine/core";
import { sayReason } from "#web/api/server-texts.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { JsonView } from "#web/ui/json-view.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { describeReason, type LeadPreview } from "./lead-source.ts";

/** Says what a delivery would do, and shows the call. */
export function PreviewNote({ preview }: { preview: LeadPreview }) {
  const { result, lead, preflight } = preview;
  const skipped = preflight?.reasons.map((reason) => sayReason(reason)) ?? [];
  const isCalled = result === "QUEUED" && skipped.length === 0;
  const number = typeof lead?.customerNumber === "string" ? lead.customerNumber : "";
  return (
    <Alert color={isCalled ? "green" : "orange"} variant="light" role="status">
      <Stack gap="xs">
        <Text fz="sm">
          {isCalled ? (
            <>{rich`${<Phone number={number} />} would be called.`}</>
          ) : (
            <>{t`Nobody would be called. ${skipped.join(" ") || describeReason(preview)}`}</>
          )}
        </Text>
        {lead !== null && <JsonView value={lead} label={t`the call`} maxHeight={240} />}
      </Stack>
    </Alert>
  );
}
