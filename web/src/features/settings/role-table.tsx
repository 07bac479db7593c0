import { Stack, Text } from "@mantine/core";
import { Fragment } from "react";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { ROLES } from "./people.ts";

/** Table of the roles and their permissions. */
export function RoleTable() {
  return (
    <Card title={t`Roles`}>
      <Stack gap="sm">
        <dl className="facts">
          {ROLES.map(({ value, label, may }) => (
            <Fragment key={value}>
              <dt>{label}</dt>
              <dd>{may}</dd>
            </Fragment>
          ))}
        </dl>
        <Text fz="xs" c="dimmed">
          {t`Owners of the installation own every workspace without being members of it.`}
        </Text>
      </Stack>
    </Card>
  );
}
