import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { whenSessionIsLost } from "./api/http.ts";
import { queryClient } from "./api/queries.ts";
import { sessionQuery } from "./api/session.ts";
import { ShortcutProvider } from "./keyboard/shortcuts.tsx";
import { Routes } from "./routes.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { resolveVariables, theme } from "./theme/theme.ts";
import { ConfirmProvider } from "./ui/confirm.tsx";

// Toasts are kept until their part has loaded, which the first screen need not wait for.
const Toasts = lazy(async () => ({ default: (await import("./shell/toasts.tsx")).Toasts }));

whenSessionIsLost(() => void queryClient.invalidateQueries(sessionQuery));

/** The whole dashboard. */
export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <ShortcutProvider>
            <ConfirmProvider>
              <Suspense fallback={null}>
                <Toasts />
              </Suspense>
              <Routes />
            </ConfirmProvider>
          </ShortcutProvider>
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  );
}
