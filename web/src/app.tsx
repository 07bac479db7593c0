import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { whenSessionIsLost } from "./api/http.ts";
import { queryClient } from "./api/queries.ts";
import { sessionQuery } from "./api/session.ts";
import { ShortcutProvider } from "./keyboard/shortcuts.tsx";
import { Routes } from "./routes.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { resolveVariables, theme } from "./theme/theme.ts";
import { ConfirmProvider } from "./ui/confirm.tsx";

whenSessionIsLost(() => void queryClient.invalidateQueries(sessionQuery));

/** The whole dashboard. */
export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <ShortcutProvider>
            <ConfirmProvider>
              <Notifications position="bottom-right" />
              <Routes />
            </ConfirmProvider>
          </ShortcutProvider>
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  );
}
