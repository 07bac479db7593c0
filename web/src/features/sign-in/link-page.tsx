import { Button, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError } from "#web/api/api-error.ts";
import { send } from "#web/api/http.ts";
import { keepToken, type Session, sessionQuery, type StepWay } from "#web/api/session.ts";
import { t } from "#web/i18n/t.ts";
import { FaultNote, LoadingBars } from "#web/ui/load-state.tsx";
import { AuthFrame } from "./auth-frame.tsx";
import { CodeForm } from "./code-form.tsx";
import { InviteForm } from "./invite-form.tsx";
import type { Enter, OneTimeLink } from "./one-time-link.ts";
import { ResetForm } from "./reset-form.tsx";
import { SetUpForm } from "./set-up-form.tsx";

/** The page behind set-up, invitation and reset links. */
export function LinkPage({ token }: { token: string }) {
  const { enter, ways, settle } = useEnter();
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: () => send<OneTimeLink>("POST", "/api/console/links/look-up", { body: { token } }),
    retry: false,
    staleTime: Infinity,
  });
  if (ways) return <CodeForm ways={ways} enter={settle} back={() => window.location.assign("/sign-in")} />;
  if (link.error) return <DeadLink error={link.error} />;
  if (!link.data) {
    return (
      <AuthFrame title={t`One moment`} lead={t`Looking up the link …`}>
        <LoadingBars count={3} />
      </AuthFrame>
    );
  }
  if (link.data.kind === "SETUP") return <SetUpForm token={token} link={link.data} enter={enter} />;
  if (link.data.kind === "RESET") return <ResetForm token={token} link={link.data} enter={enter} />;
  return <InviteForm token={token} link={link.data} enter={enter} />;
}

/** Signs in with a link's form. A reset link stands for the password alone, so that a second step may follow it. */
function useEnter(): { enter: Enter; ways: StepWay[] | null; settle: (session: Session) => void } {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [ways, setWays] = useState<StepWay[] | null>(null);
  const settle = useCallback(
    (session: Session) => {
      setWays(session.secondStep);
      if (session.user === null) return;
      client.setQueryData(sessionQuery.queryKey, keepToken(session));
      navigate("/", { replace: true });
    },
    [client, navigate],
  );
  const enter: Enter = useCallback(async (path, body) => settle(await send<Session>("POST", path, { body })), [settle]);
  return { enter, ways, settle };
}

function DeadLink({ error }: { error: Error }) {
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <AuthFrame
      title={isGone ? t`This link no longer works` : t`The link could not be checked`}
      lead={isGone ? t`It was used, it expired, or it was replaced by a newer one.` : ""}
    >
      <Stack>
        {!isGone && <FaultNote error={error} />}
        <Button component={Link} href="/">
          {t`Go to sign-in`}
        </Button>
      </Stack>
    </AuthFrame>
  );
}
