import { Anchor, Badge, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FaultNote, LoadingBars } from "#web/ui/load-state.tsx";
import { Words } from "#web/ui/words.tsx";
import { type FlowUser, flowUsers } from "./flow-users.ts";
import type { FlowFields } from "./flow.ts";
import { useFlowLibrary } from "./use-flow-library.ts";

/** The flows that refer to something, with links. */
export function FlowUsersCard({ names, none }: { names: (fields: FlowFields) => boolean; none: string }) {
  const { flows, changes, isLoading, error } = useFlowLibrary();
  const users = flowUsers(flows, changes, names);
  return (
    <Card title={t`Used by`}>
      {error && <FaultNote error={error} />}
      {!error && isLoading && <LoadingBars />}
      {!error && !isLoading && users.length === 0 && (
        <Text fz="sm" c="dimmed">
          {none}
        </Text>
      )}
      <ul className="plain-list">
        {users.map((user) => (
          <li key={user.id}>
            <UserLine user={user} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function UserLine({ user: { id, name, apiId, inPublished, inDraft } }: { user: FlowUser }) {
  return (
    <Group gap={6}>
      <Anchor component={Link} href={`/flows/${id}`} fz="sm">
        <Words>{name}</Words>
      </Anchor>
      <Text component="span" fz="xs" c="dimmed" ff="monospace">
        {apiId}
      </Text>
      {!inPublished && <DraftNote>{t`draft only`}</DraftNote>}
      {inPublished && inDraft === false && <DraftNote>{t`not in its draft`}</DraftNote>}
    </Group>
  );
}

function DraftNote({ children }: { children: string }) {
  return (
    <Badge size="sm" radius="sm" variant="light" color="orange" tt="none">
      {children}
    </Badge>
  );
}
