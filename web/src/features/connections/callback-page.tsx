import { Alert, Button, Center, Loader, Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { explainError } from "#web/api/api-error.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { Page } from "#web/ui/page.tsx";
import { type Connection, CONNECTIONS_PATH } from "./connection.ts";

/** Page to which a provider sends the browser back: it ends the sign-in, then shows the connections. */
export function CallbackPage() {
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const [fault, setFault] = useState<string | null>(null);
  const isSent = useRef(false);
  const { mutateAsync } = useWrite<Connection, object>({
    failed: t`The sign-in did not succeed`,
    method: "POST",
    path: "/connection-sign-ins",
    refreshes: [CONNECTIONS_PATH],
  });
  useEffect(() => {
    // A sign-in is good for one request, so the effect sends none when it runs again.
    if (isSent.current) return;
    isSent.current = true;
    const sent = ["state", "code", "error", "iss"].map((name) => [name, query.get(name)]);
    mutateAsync(Object.fromEntries(sent.filter(([, value]) => value !== null)) as object).then(
      ({ name }) => {
        showDone(t`${name} is connected.`);
        navigate("/connections", { replace: true });
      },
      (error: unknown) => setFault(explainError(error)),
    );
  }, [query, mutateAsync, navigate]);
  return (
    <Page title={t`Sign-in`}>
      {fault === null ? (
        <Center>
          <Loader role="status" aria-label={t`Loading`} />
        </Center>
      ) : (
        <Stack align="flex-start">
          <Alert color="red" title={t`The sign-in did not succeed`}>
            {fault}
          </Alert>
          <Button onClick={() => navigate("/connections", { replace: true })}>{t`Back to the connections`}</Button>
        </Stack>
      )}
    </Page>
  );
}
