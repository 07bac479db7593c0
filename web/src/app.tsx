import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { whenSessionIsLost, whenWarned } from "./api/http.ts";
import { queryClient } from "./api/queries.ts";
import { sessionQuery, whenPersonChanges } from "./api/session.ts";
import { showWarnings } from "./api/undo.tsx";
import { closeTopOnly } from "./keyboard/escape-top.ts";
import { returnFocus } from "./keyboard/return-focus.ts";
import { ShortcutProvider } from "./keyboard/shortcuts.tsx";
import { Routes } from "./routes.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { resolveVariables, theme } from "./theme/theme.ts";
import { ConfirmProvider } from "./ui/confirm.tsx";

// Toasts are kept until their part has loaded, which the first screen need not wait for.
const TOASTS_AFTER_MS = 700;
const Toasts = lazy(async () => ({ default: (await import("./shell/toasts.tsx")).Toasts }));

closeTopOnly();
returnFocus();
whenPersonChanges(
  () => void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] }),
);
whenWarned(showWarnings);
whenSessionIsLost(() => void queryClient.invalidateQueries(sessionQuery));

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
