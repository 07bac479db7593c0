import {
  ActionIcon,
  Badge,
  Burger,
  Group,
  Kbd,
  Text,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useLiveFrame, useLiveState } from "#web/api/live.tsx";
import { showOverlay } from "#web/domain/workspace/overlay.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";

/** Header with the search, the number of live calls, and the state of the live stream. */
export function HeaderBar({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  return (
    <Group h="100%" px="md" gap="sm" wrap="nowrap">
      <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t`Open navigation`} />
      <UnstyledButton className="search-box" onClick={() => showOverlay("palette")}>
        <Icon name="search" size={14} />
        <Text component="span" fz="sm" c="dimmed" flex={1}>
          {t`Search or jump to…`}
        </Text>
        <Kbd size="xs" visibleFrom="xs">
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <Group gap="xs" ml="auto" wrap="nowrap">
        <ActiveCalls />
        <LiveLamp />
        <SchemeSwitch />
      </Group>
    </Group>
  );
}

function ActiveCalls() {
  const counters = useLiveFrame("counters");
  if (!counters || counters.liveCalls === 0) return null;
  return (
    <Badge
      variant="light"
      color="parley"
      radius="sm"
      tt="none"
      miw="max-content"
      leftSection={<span className="dot dot-busy" />}
    >
      {counters.liveCalls}
      <Text component="span" inherit visibleFrom="xs">
        {plural(counters.liveCalls, " call live", " calls live")}
      </Text>
    </Badge>
  );
}

const LAMPS = {
  OPEN: { text: t`Live: changes appear by themselves`, className: "lamp lamp-open" },
  CONNECTING: { text: t`Connecting …`, className: "lamp" },
  WAITING: { text: t`Connection lost. Trying again …`, className: "lamp lamp-lost" },
};

function LiveLamp() {
  const lamp = LAMPS[useLiveState()];
  return (
    <Tooltip label={lamp.text}>
      <span role="status" aria-label={lamp.text} className={lamp.className} />
    </Tooltip>
  );
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const next = scheme === "dark" ? "light" : "dark";
  return (
    <Tooltip label={t`Switch to ${next}`}>
      <ActionIcon variant="subtle" color="gray" aria-label={t`Switch to ${next}`} onClick={() => setColorScheme(next)}>
        <Icon name={next === "dark" ? "moon" : "sun"} />
      </ActionIcon>
    </Tooltip>
  );
}
