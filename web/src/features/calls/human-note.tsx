import { Alert, Anchor } from "@mantine/core";
import type { CallRow } from "@parley/sdk";
import { Link } from "wouter";
import { useKnownFlows } from "#web/domain/flow/use-flow-names.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";

/** Note on a call whose person asked for a human and could not be transferred. */
export function HumanNote({ call }: { call: CallRow }) {
  const flow = useKnownFlows().find(({ apiId }) => apiId === call.flowApiId);
  if (!call.humanRequested) return null;
  const hasNoTarget = flow !== undefined && !flow.transferTargets?.length;
  return (
    <Alert color="blue" variant="light" title={t`They asked for a human`}>
      {t`The call could not be handed over, so somebody has to call them back.`}
      {hasNoTarget && (
        <>
          {" "}
          {rich`Its flow names nobody to transfer to: ${(
            <Anchor component={Link} href={`/flows/${flow.id}`} fz="sm">
              {t`set a transfer target`}
            </Anchor>
          )}.`}
        </>
      )}{" "}
      <Anchor component={Link} href="/calls?humanRequested=true" fz="sm">
        {t`All such calls`}
      </Anchor>
    </Alert>
  );
}
