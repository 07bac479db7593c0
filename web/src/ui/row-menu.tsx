import { ActionIcon, Menu } from "@mantine/core";
import { Icon, type IconName } from "./icon.tsx";

/** An action for a row. */
export interface RowAction {
  label: string;
  icon: IconName;
  run: () => void;
  isDangerous?: boolean;
}

/** Menu at the end of a row; not shown without actions. */
export function RowMenu({ label, actions }: { label: string; actions: RowAction[] }) {
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={label}
          onClick={(event) => event.stopPropagation()}
        >
          <Icon name="more" strokeWidth={2.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {actions.map(({ label: text, icon, run, isDangerous }) => (
          <Menu.Item
            key={text}
            leftSection={<Icon name={icon} />}
            onClick={run}
            {...(isDangerous ? { color: "red" } : {})}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
