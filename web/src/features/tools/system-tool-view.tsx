import { Badge, SimpleGrid, Text } from "@mantine/core";
import { FlowUsersCard } from "#web/domain/flow/flow-users-card.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { Page } from "#web/ui/page.tsx";
import { mayCall, type Tool } from "./tool.ts";

/** Read-only view of a built-in tool. */
export function SystemToolView({ tool }: { tool: Tool }) {
  return (
    <Page
      title={tool.name}
      back={{ href: "/tools", label: t`Tools` }}
      badge={
        <Badge variant="default" tt="none" radius="sm">
          {t`Built in`}
        </Badge>
      }
      lead={t`It comes with Parley and works without a server of yours. Name it in a flow to grant it.`}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card title={t`What the model is told`}>
          <Text fz="sm">{tool.description}</Text>
        </Card>
        <Card title={t`Parameters`}>
          <JsonView value={tool.parameters ?? []} label={t`Parameters`} />
        </Card>
        <FlowUsersCard names={mayCall(tool.id)} none={t`No flow may call it.`} />
      </SimpleGrid>
    </Page>
  );
}
