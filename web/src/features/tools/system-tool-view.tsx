import { Badge, SimpleGrid, Text } from "@mantine/core";
import { FlowUsersCard } from "#web/domain/flow/flow-users-card.tsx";
import { Card } from "#web/ui/card.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { Page } from "#web/ui/page.tsx";
import { mayCall, type Tool } from "./tool.ts";

/** Read-only view of a built-in tool. */
export function SystemToolView({ tool }: { tool: Tool }) {
  return (
    <Page
      title={tool.name}
      back={{ href: "/tools", label: "Tools" }}
      badge={
        <Badge variant="default" tt="none" radius="sm">
          Built in
        </Badge>
      }
      lead="It comes with Parley and works without a server of yours. Name it in a flow to grant it."
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card title="What the model is told">
          <Text fz="sm">{tool.description}</Text>
        </Card>
        <Card title="Parameters">
          <JsonView value={tool.parameters ?? []} label="Parameters" />
        </Card>
        <FlowUsersCard names={mayCall(tool.id)} none="No flow may call it." />
      </SimpleGrid>
    </Page>
  );
}
