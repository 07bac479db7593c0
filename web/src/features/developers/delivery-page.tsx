import { Accordion, Button, Grid, Group, Stack, Text } from "@mantine/core";
import { useParams } from "wouter";
import { useRead, useWrite } from "#web/api/queries.ts";
import { notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { DELIVERIES_PATH, type Attempt, type Delivery, type DeliveryDetail } from "#web/domain/webhook/delivery.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { formatMilliseconds } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { BodyView } from "./body-view.tsx";
import { DeliveryStatus } from "./deliveries-page.tsx";
import { HeaderTable } from "./header-table.tsx";

/** Page of a delivery: its body, and each attempt with the receiver's response. */
export function DeliveryPage() {
  const { deliveryId = "" } = useParams();
  const path = `${DELIVERIES_PATH}/${deliveryId}`;
  const read = useRead<DeliveryDetail>(path);
  const resend = useWrite<Delivery>({
    failed: t`The delivery was not sent again`,
    method: "POST",
    path: `${path}/redeliver`,
    body: () => ({}),
    refreshes: [DELIVERIES_PATH],
  });
  const maySend = useMay("DELIVERIES_WRITE") && read.data !== undefined && read.data.body !== null;
  const sendAgain = () => notifyResult(resend.mutateAsync(), t`It is on its way.`);
  useShortcutKeys(maySend ? [{ keys: "r", label: t`Send again`, group: t`Delivery`, run: sendAgain }] : []);
  const { data } = read;
  return (
    <Page
      title={data?.eventType ?? t`Delivery`}
      badge={data && <DeliveryStatus delivery={data} />}
      back={{ href: "/developers", label: t`Deliveries` }}
      actions={
        maySend && (
          <Button
            leftSection={<Icon name="refresh" />}
            loading={resend.isPending}
            disabled={data?.status === "SENDING"}
            onClick={sendAgain}
          >
            {t`Send again`}
          </Button>
        )
      }
    >
      <Loaded read={read}>{(delivery) => <Detail delivery={delivery} />}</Loaded>
    </Page>
  );
}

function Detail({ delivery }: { delivery: DeliveryDetail }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack>
          <Card title={t`Attempts (${delivery.history.length})`} padded={false}>
            <Attempts history={delivery.history} />
          </Card>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack>
          <Facts delivery={delivery} />
          <Card title={t`Body`}>
            {delivery.body === null ? (
              <Text fz="sm" c="dimmed">
                {t`It was erased with the person it told of, so it cannot be sent again.`}
              </Text>
            ) : (
              <BodyView body={delivery.body} label={t`Body that is sent`} />
            )}
          </Card>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  return (
    <Card title={t`Delivery`}>
      <dl className="facts">
        <dt>{t`To`}</dt>
        <dd>{delivery.url ?? "–"}</dd>
        <dt>{t`Event id`}</dt>
        <dd>
          {delivery.eventId === null ? (
            "–"
          ) : (
            <Group gap={4} wrap="nowrap" component="span">
              <Text component="span" fz="xs" ff="monospace" style={{ overflowWrap: "anywhere" }}>
                {delivery.eventId}
              </Text>
              <CopyButton text={delivery.eventId} label={t`Copy event id`} />
            </Group>
          )}
        </dd>
        <dt>{t`Created`}</dt>
        <dd>
          <Time at={delivery.createdAt} />
        </dd>
        <dt>{delivery.finishedAt === null ? t`Next attempt` : t`Finished`}</dt>
        <dd>
          <Time at={delivery.finishedAt ?? delivery.nextAttemptAt} />
        </dd>
        {delivery.lastError !== null && (
          <>
            <dt>{t`Last fault`}</dt>
            <dd>{delivery.lastError}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

function Attempts({ history }: { history: Attempt[] }) {
  if (history.length === 0) {
    return (
      <Text p="md" fz="sm" c="dimmed">
        {t`None yet. The first one comes in a moment.`}
      </Text>
    );
  }
  return (
    <Accordion defaultValue={String(history[0]?.attempt)} chevronPosition="left">
      {history.map((attempt) => (
        <Accordion.Item key={attempt.attempt} value={String(attempt.attempt)}>
          <Accordion.Control>
            <Group gap="sm" justify="space-between">
              <Group gap="sm">
                <Text fz="sm" fw={550}>
                  {t`Attempt ${attempt.attempt}`}
                </Text>
                <Answer attempt={attempt} />
              </Group>
              <Text fz="xs" c="dimmed">
                {formatMilliseconds(attempt.durationMs)} · <Time at={attempt.at} />
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <AttemptDetail attempt={attempt} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Answer({ attempt: { responseStatus } }: { attempt: Attempt }) {
  if (responseStatus === null) return <StatusBadge status="FAILED" label={t`No answer`} />;
  const isGood = responseStatus >= 200 && responseStatus < 300;
  return <StatusBadge status={isGood ? "DELIVERED" : "FAILED"} label={String(responseStatus)} />;
}

function AttemptDetail({ attempt }: { attempt: Attempt }) {
  return (
    <Stack gap="sm">
      {attempt.error !== null && (
        <Text fz="sm" c="red" style={{ overflowWrap: "anywhere" }}>
          {attempt.error}
        </Text>
      )}
      <HeaderTable label={t`Request headers`} headers={attempt.requestHeaders} />
      <HeaderTable label={t`Response headers`} headers={attempt.responseHeaders} />
      {attempt.responseBody !== null && attempt.responseBody !== "" && (
        <CodeBlock text={attempt.responseBody} label={t`Response body of attempt ${attempt.attempt}`} maxHeight={240} />
      )}
    </Stack>
  );
}
