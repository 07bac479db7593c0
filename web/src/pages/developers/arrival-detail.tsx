import { Stack, Text } from "@mantine/core";
import { Time } from "#web/ui/time.tsx";
import { BodyView } from "./body-view.tsx";
import { HeaderTable } from "./header-table.tsx";
import type { InspectedRequest } from "./inspector.ts";

/** One request as it came. */
export function ArrivalDetail({ request }: { request: InspectedRequest }) {
  return (
    <Stack p="md" miw={0}>
      <dl className="facts facts-wide">
        <dt>Received</dt>
        <dd>
          <Time at={request.at} />
        </dd>
        <dt>From</dt>
        <dd>{request.address ?? "this service"}</dd>
        {request.target !== "" && (
          <>
            <dt>Query</dt>
            <dd>{request.target}</dd>
          </>
        )}
      </dl>
      {request.body === null ? (
        <Text fz="sm" c="dimmed">
          It had no body.
        </Text>
      ) : (
        <BodyView body={request.body} label={request.bodyEncoding === "BASE64" ? "Body in base64" : "Body"} />
      )}
      <HeaderTable label="Headers" headers={request.headers} />
    </Stack>
  );
}
