import { Button, Menu } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { Column } from "./columns.ts";
import { useShownColumns } from "./use-shown-columns.ts";

/** Menu of the columns of a list. The first one, which opens a row, always stays. */
export function ColumnsButton<T>({ screen, columns }: { screen: string; columns: Column<T>[] }) {
  const { isShown, toggle, reset } = useShownColumns(screen, columns);
  return (
    <Menu position="bottom-end" withinPortal closeOnItemClick={false}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Icon name="columns" size={14} />}>
          {t`Columns`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflow: "auto" }}>
        {columns.slice(1).map(({ id, header }) => (
          <Menu.CheckboxItem key={id} checked={isShown(id)} onChange={() => toggle(id)}>
            {header}
          </Menu.CheckboxItem>
        ))}
        {reset && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={reset}>{t`Show the usual columns`}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
