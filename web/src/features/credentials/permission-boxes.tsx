import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { ALL_PERMISSIONS, PERMISSION_AREAS } from "./credential.ts";

const READING = ALL_PERMISSIONS.filter((name) => name.endsWith("_READ"));

/** A box for each permission, by area. */
export function PermissionBoxes({ value, onChange }: { value: string[]; onChange: (names: string[]) => void }) {
  const toggle = (name: string) =>
    onChange(value.includes(name) ? value.filter((other) => other !== name) : [...value, name]);
  return (
    <Stack gap={6} role="group" aria-label={t`Permissions`}>
      <Group justify="space-between">
        <Text fz="sm" fw={500}>
          {t`Permissions`}
        </Text>
        <Group gap={4}>
          <Button size="compact-xs" variant="default" onClick={() => onChange(ALL_PERMISSIONS)}>
            {t`All`}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => onChange(READING)}>
            {t`Read only`}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
            {t`None`}
          </Button>
        </Group>
      </Group>
      <div className="permissions">
        {PERMISSION_AREAS.map(({ area, names }) => (
          <Group key={area} justify="space-between" gap="xs" className="permission-row">
            <Text fz="sm">{area}</Text>
            <Group gap="md">
              {names.map(({ name, label }) => (
                <Checkbox
                  key={name}
                  size="xs"
                  label={label}
                  aria-label={`${area}: ${label}`}
                  checked={value.includes(name)}
                  onChange={() => toggle(name)}
                />
              ))}
            </Group>
          </Group>
        ))}
      </div>
    </Stack>
  );
}
