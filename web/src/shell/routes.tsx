import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { pickWorkspace } from "#web/api/first-workspace.ts";
import { KeptDialogs } from "#web/api/kept-dialogs.tsx";
import { type Session, sessionQuery } from "#web/api/session.ts";
import { t } from "#web/i18n/t.ts";
import { FaultNote } from "#web/ui/load-state.tsx";
import { NotFound } from "./not-found.tsx";
import { WorkspaceShell } from "./workspace-shell.tsx";

const SignInPage = lazy(async () => ({ default: (await import("#web/features/sign-in/sign-in-page.tsx")).SignInPage }));
const LinkPage = lazy(async () => ({ default: (await import("#web/features/sign-in/link-page.tsx")).LinkPage }));
const SetUpHintPage = lazy(async () => ({
  default: (await import("#web/features/sign-in/set-up-hint-page.tsx")).SetUpHintPage,
}));
const NoWorkspacePage = lazy(async () => ({
  default: (await import("#web/features/sign-in/no-workspace-page.tsx")).NoWorkspacePage,
}));

/** Shows the page for the address and the session. */
export function Routes() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (session === undefined) {
    return (
      <Center h="100vh">
        {error ? (
          <FaultNote error={error} retry={() => void refetch()} />
        ) : (
          <Loader role="status" aria-label={t`Loading`} />
        )}
      </Center>
    );
  }
  return (
    <Suspense
      fallback={
        <Center h="100vh">
          <Loader role="status" aria-label={t`Loading`} />
        </Center>
      }
    >
      <Switch>
        <Route path="/:kind/:token">
          {({ kind, token }) =>
            ["setup", "invite", "reset"].includes(kind) ? (
              <LinkPage key={token} token={token} />
            ) : (
              <SignedIn session={session} />
            )
          }
        </Route>
        <Route path="/sign-in">
          {session.user ? <Redirect to={readNext()} replace /> : <SignedOut session={session} />}
        </Route>
        <Route>
          <SignedIn session={session} />
        </Route>
      </Switch>
    </Suspense>
  );
}

function SignedOut({ session }: { session: Session }) {
  return session.needsSetup ? <SetUpHintPage /> : <SignInPage />;
}

function SignedIn({ session }: { session: Session }) {
  const [path] = useLocation();
  const first = pickWorkspace(session);
  if (session.needsSetup && !session.user) return <SetUpHintPage />;
  if (!session.user)
    return (
      <Redirect
        to={path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path + window.location.search)}`}
        replace
      />
    );
  if (!first) return <NoWorkspacePage />;
  return (
    <KeptDialogs key={session.user.id}>
      <Switch>
        <Route path="/w/:workspaceId" nest>
          {({ workspaceId }) => (
            <WorkspaceShell key={workspaceId} workspace={session.workspaces.find(({ id }) => id === workspaceId)} />
          )}
        </Route>
        <Route path="/connections/callback">
          <ConnectionCallback />
        </Route>
        <Route path="/">
          <Redirect to={`/w/${first.id}`} replace />
        </Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </KeptDialogs>
  );
}

/** Opens the end of a sign-in at a provider in its workspace, which the state begins with. */
function ConnectionCallback() {
  const { search } = window.location;
  const [workspaceId] = (new URLSearchParams(search).get("state") ?? "").split(".", 1);
  if (!workspaceId) return <NotFound />;
  return <Redirect to={`/w/${encodeURIComponent(workspaceId)}/connections/callback${search}`} replace />;
}

/** Returns the path to open after the sign-in; only paths of this dashboard are accepted. */
function readNext(): string {
  const next = new URLSearchParams(window.location.search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}
