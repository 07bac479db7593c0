import { Center, Loader } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useEffect } from "react";
import { Route, Switch, useLocation } from "wouter";
import { rememberWorkspace } from "#web/api/first-workspace.ts";
import { LiveProvider } from "#web/api/live.tsx";
import type { WorkspaceAccess } from "#web/api/session.ts";
import { useWorkspace, WorkspaceProvider } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { HeaderBar } from "./header-bar.tsx";
import { NotAllowed } from "./not-allowed.tsx";
import { NotFound } from "./not-found.tsx";
import { SCREENS } from "./screens.ts";
import { ShellCommands } from "./shell-commands.tsx";
import { SideBar } from "./side-bar.tsx";

const SecondFactorPage = lazy(async () => ({
  default: (await import("#web/features/sign-in/second-factor-page.tsx")).SecondFactorPage,
}));

/** A workspace: side bar, header, and the screen for the address. */
export function WorkspaceShell({ workspace }: { workspace: WorkspaceAccess | undefined }) {
  if (!workspace) return <NotFound />;
  if (workspace.lacksSecondFactor) {
    return (
      <WorkspaceProvider workspace={workspace}>
        <SecondFactorPage />
      </WorkspaceProvider>
    );
  }
  return (
    <WorkspaceProvider workspace={workspace}>
      <LiveProvider>
        <Frame id={workspace.id} />
      </LiveProvider>
    </WorkspaceProvider>
  );
}

function Frame({ id }: { id: string }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [path] = useLocation();
  useEffect(() => rememberWorkspace(id), [id]);
  useEffect(close, [path, close]);
  return (
    <div className="shell" data-open={isOpen || undefined}>
      <a href="#content" className="skip-link">
        {t`Skip to content`}
      </a>
      <aside className="side-bar" aria-label={t`Sections`}>
        <SideBar close={close} />
      </aside>
      <button type="button" className="side-veil" aria-label={t`Close navigation`} tabIndex={-1} onClick={close} />
      <section className="header-bar" aria-label={t`Search and status`}>
        <HeaderBar isOpen={isOpen} toggle={toggle} />
      </section>
      <main id="content" className="content" tabIndex={-1}>
        <ErrorBoundary key={path}>
          <Suspense
            fallback={
              <Center py={120}>
                <Loader role="status" aria-label={t`Loading`} />
              </Center>
            }
          >
            <Screens />
          </Suspense>
        </ErrorBoundary>
      </main>
      <ShellCommands />
    </div>
  );
}

function Screens() {
  const { permissions } = useWorkspace();
  return (
    <Switch>
      {SCREENS.map(({ path, component: Screen, permission }) => (
        <Route key={path} path={path}>
          {permission === undefined || permissions.includes(permission) ? (
            <Screen />
          ) : (
            <NotAllowed permission={permission} />
          )}
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
