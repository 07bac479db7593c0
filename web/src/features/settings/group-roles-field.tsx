import { ActionIcon, Button, Group, Input, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Role, sessionQuery } from "#web/api/session.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { ROLES } from "./people.ts";
import type { GroupRole } from "./sign-on.ts";

interface GroupRolesProps {
  roles: GroupRole[];
  change: (roles: GroupRole[]) => void;
  error: ReactNode;
}

/** Table of the roles that groups give: group, workspace, role. */
export function GroupRolesField({ roles, change, error }: GroupRolesProps) {
  const { data: session } = useQuery(sessionQuery);
  const workspaces = session?.workspaces ?? [];
  const set = (index: number, part: Partial<GroupRole>) =>
    change(roles.map((one, i) => (i === index ? { ...one, ...part } : one)));
  const add = () => change([...roles, { group: "", workspaceId: workspaces[0]?.id ?? "", role: "VIEWER" }]);
  return (
    <Input.Wrapper
      label={t`Roles of groups`}
      description={t`Applied at each sign-in and with each change by SCIM. A role that somebody gave by hand stays.`}
      error={error}
    >
      <Stack gap={6} mt={6}>
        {roles.map((one, index) => (
          // Rows have no name of their own, and keep no state.
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              aria-label={t`Group ${index + 1}`}
              placeholder={t`Name or id`}
              required
              maxLength={300}
              flex={2}
              value={one.group}
              onChange={(event) => set(index, { group: event.currentTarget.value })}
            />
            <Select
              aria-label={t`Workspace of group ${index + 1}`}
              allowDeselect={false}
              flex={2}
              value={one.workspaceId}
              data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(workspaceId) => workspaceId !== null && set(index, { workspaceId })}
            />
            <Select
              aria-label={t`Role of group ${index + 1}`}
              allowDeselect={false}
              flex={1}
              value={one.role}
              data={ROLES.map(({ value, label }) => ({ value, label }))}
              onChange={(role) => role !== null && set(index, { role: role as Role })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Remove group ${index + 1}`}
              onClick={() => change(roles.filter((_, i) => i !== index))}
            >
              <Icon name="close" />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button size="compact-sm" variant="default" leftSection={<Icon name="plus" />} onClick={add}>
            {t`Add group`}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
