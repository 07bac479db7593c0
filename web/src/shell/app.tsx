import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { whenSessionIsLost, whenWarned, whenWriteIsRefused } from "#web/api/http.ts";
import { queryClient } from "#web/api/queries.ts";
import { hasNewSession, sessionQuery, whenPersonChanges } from "#web/api/session.ts";
import { showWarnings } from "#web/api/undo.tsx";
import { ConfirmProvider } from "#web/ui/confirm.tsx";
import { closeTopOnly } from "#web/ui/keyboard/escape-top.ts";
import { returnFocus } from "#web/ui/keyboard/return-focus.ts";
import { ShortcutProvider } from "#web/ui/keyboard/shortcuts.tsx";
import { resolveVariables, theme } from "#web/ui/theme/theme.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Routes } from "./routes.tsx";

// Milliseconds before the toasts' code is loaded, which the first screen does not need. Earlier toasts are kept.
const TOASTS_AFTER_MS = 700;
const Toasts = lazy(async () => ({ default: (await import("./toasts.tsx")).Toasts }));

closeTopOnly();
returnFocus();
whenPersonChanges(
  () => void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] }),
);
whenWarned(showWarnings);
whenSessionIsLost(() => void queryClient.invalidateQueries(sessionQuery));
whenWriteIsRefused(() => hasNewSession(queryClient));

/** The whole dashboard. */
export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <ShortcutProvider>
            <ConfirmProvider>
              <LaterToasts />
              <Routes />
            </ConfirmProvider>
          </ShortcutProvider>
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  );
}

function LaterToasts() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), TOASTS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isTime) return null;
  return (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  );
}
