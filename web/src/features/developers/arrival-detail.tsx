import { Stack, Text } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Time } from "#web/ui/time.tsx";
import { BodyView } from "./body-view.tsx";
import { HeaderTable } from "./header-table.tsx";
import { ATTEMPT_HEADER, EVENT_ID_HEADER, type InspectedRequest } from "./inspector.ts";

/** Shows a request as it arrived. */
export function ArrivalDetail({ request }: { request: InspectedRequest }) {
  return (
    <Stack p="md" miw={0}>
      <dl className="facts facts-wide">
        <dt>{t`Received`}</dt>
        <dd>
          <Time at={request.at} />
        </dd>
        <dt>{t`From`}</dt>
        <dd>{request.address ?? t`this service`}</dd>
        <EventFacts headers={request.headers} />
        {request.target !== "" && (
          <>
            <dt>{t`Query`}</dt>
            <dd>{request.target}</dd>
          </>
        )}
      </dl>
      {request.body === null ? (
        <Text fz="sm" c="dimmed">
          {t`It had no body.`}
        </Text>
      ) : (
        <BodyView body={request.body} label={request.bodyEncoding === "BASE64" ? t`Body in base64` : t`Body`} />
      )}
      <HeaderTable label={t`Headers`} headers={request.headers} />
    </Stack>
  );
}

/** Shows the event id and attempt that this service sends in its headers. */
function EventFacts({ headers }: Pick<InspectedRequest, "headers">) {
  const { [EVENT_ID_HEADER]: id, [ATTEMPT_HEADER]: attempt } = headers;
  if (id === undefined) return null;
  return (
    <>
      <dt>{t`Event`}</dt>
      <dd>
        <Text component="span" fz="sm" ff="monospace" className="breaks">
          {id}
        </Text>
      </dd>
      <dt>{t`Attempt`}</dt>
      <dd>{attempt ?? "1"}</dd>
    </>
  );
}
