import { CloseButton, Group, NavLink, Text, VisuallyHidden } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { useLiveFrame } from "#web/api/live.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { WorkspaceSwitcher } from "#web/domain/workspace/workspace-switcher.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { NAVIGATION, type NavItem } from "./navigation.ts";
import { UserMenu } from "./user-menu.tsx";

/** Navigation between the screens of the workspace. */
export function SideBar({ close }: { close: () => void }) {
  const { permissions } = useWorkspace();
  return (
    <>
      <div className="side-head">
        <Group wrap="nowrap" gap={4}>
          <WorkspaceSwitcher />
          <CloseButton hiddenFrom="sm" aria-label={t`Close navigation`} onClick={close} />
        </Group>
      </div>
      <div className="side-middle">
        <nav aria-label={t`Main`}>
          {NAVIGATION.map(({ label, items }) => {
            const shown = items.filter(
              ({ permission }) => permission === undefined || permissions.includes(permission),
            );
            if (shown.length === 0) return null;
            return (
              <div key={label} className="nav-section">
                {label !== "" && (
                  <Text fz="xs" c="dimmed" fw={550} px={10} mb={2}>
                    {label}
                  </Text>
                )}
                {shown.map((item) => (
                  <NavEntry key={item.path} item={item} close={close} />
                ))}
              </div>
            );
          })}
        </nav>
      </div>
      <div className="side-foot">
        <UserMenu />
      </div>
    </>
  );
}

function NavEntry({ item, close }: { item: NavItem; close: () => void }) {
  const [path] = useLocation();
  const isHere = item.path === "/" ? path === "/" : path === item.path || path.startsWith(`${item.path}/`);
  return (
    <NavLink
      component={Link}
      href={item.path}
      label={item.label}
      title={item.label}
      leftSection={<Icon name={item.icon} />}
      rightSection={<LiveCount path={item.path} />}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
      onClick={close}
      className="nav-entry"
    />
  );
}

/** Count of running items beside the links that have one. */
function LiveCount({ path }: { path: string }) {
  const counters = useLiveFrame("counters");
  const count =
    { "/live": counters?.liveCalls, "/jobs": counters?.activeJobs, "/chats": counters?.openChats }[path] ?? 0;
  const alerted = path === "/live" ? (counters?.alertedCalls ?? 0) : 0;
  const waiting = path === "/chats" ? (counters?.waitingChats ?? 0) : 0;
  if (waiting > 0) {
    const label = plural(waiting, "{n} person waits for a human", "{n} people wait for a human");
    return (
      <span className="nav-count nav-count-waiting" title={label}>
        {waiting}
        <VisuallyHidden> {label}</VisuallyHidden>
      </span>
    );
  }
  return (
    <>
      {alerted > 0 && (
        <span className="nav-count nav-alerts" title={t`Live calls that need a look`}>
          {alerted}
          <VisuallyHidden>{t` need a look`}</VisuallyHidden>
        </span>
      )}
      {count > 0 && <span className="nav-count">{count}</span>}
    </>
  );
}
