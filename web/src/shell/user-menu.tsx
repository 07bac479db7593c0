import {
  Group,
  Menu,
  SegmentedControl,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from "@mantine/core";
import { useUser } from "#web/api/session.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { signOut } from "#web/domain/workspace/sign-out.ts";
import { t } from "#web/i18n/t.ts";
import { formatName } from "#web/ui/format/format.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { LanguageControl } from "#web/ui/language-control.tsx";

/** Menu of the signed-in person, with the colour scheme, the language and the sign-out. */
export function UserMenu() {
  const user = useUser();
  const { role } = useWorkspace();
  return (
    <Menu position="top-start" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton className="switcher" title={t`Account and appearance`}>
          <span className="avatar" aria-hidden="true">
            {(user.name || user.email).slice(0, 1).toUpperCase()}
          </span>
          <Stack gap={0} miw={0} flex={1}>
            <Text component="span" fz="sm" fw={550} truncate>
              {user.name}
            </Text>
            <Text component="span" fz="xs" c="dimmed" truncate>
              {formatName(role)}
            </Text>
          </Stack>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <div style={{ padding: "4px 8px" }}>
          <SchemeControl />
        </div>
        <div style={{ padding: "4px 8px" }}>
          <LanguageControl />
        </div>
        <Menu.Divider />
        <Menu.Item component="a" href="/docs/guides" target="_blank" leftSection={<Icon name="book" />}>
          {t`Documentation`}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={signOut}>
          {t`Sign out`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES: { value: "light" | "dark" | "auto"; label: string; icon: IconName }[] = [
  { value: "light", label: t`Light`, icon: "sun" },
  { value: "dark", label: t`Dark`, icon: "moon" },
  { value: "auto", label: t`As the system`, icon: "auto" },
];

function SchemeControl() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t`Colours`}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as "light" | "dark" | "auto")}
      data={SCHEMES.map(({ value, label, icon }) => ({
        value,
        label: (
          <Group justify="center" py={2} title={label}>
            <Icon name={icon} size={14} />
            <VisuallyHidden>{label}</VisuallyHidden>
          </Group>
        ),
      }))}
    />
  );
}
