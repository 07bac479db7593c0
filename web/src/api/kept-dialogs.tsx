import { createContext, Fragment, type ReactNode, Suspense, useCallback, useContext, useState } from "react";
import { Router, useRouter } from "wouter";
import { useWorkspace, WorkspaceProvider } from "./workspace.tsx";

type Draw = (close: () => void) => ReactNode;

const KeepContext = createContext<(draw: Draw) => void>(() => undefined);

/** Holds dialogs that outlive the screen that opened them, one after the other. */
export function KeptDialogs({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<{ id: string; draw: Draw }[]>([]);
  const keep = useCallback(
    (draw: Draw) => setWaiting((before) => [...before, { id: crypto.randomUUID(), draw }]),
    [setWaiting],
  );
  const [first] = waiting;
  const close = () => setWaiting((before) => before.slice(1));
  return (
    <KeepContext value={keep}>
      {children}
      <Suspense fallback={null}>{first && <Fragment key={first.id}>{first.draw(close)}</Fragment>}</Suspense>
    </KeepContext>
  );
}

/**
 * Returns a function that opens a dialog above all screens, for content that is shown only once. The dialog stays until
 * the person closes it, even when the reply came after they left the screen, and belongs to the workspace in which it
 * was opened.
 */
export function useKeptDialog(): (draw: Draw) => void {
  const keep = useContext(KeepContext);
  const workspace = useWorkspace();
  const { base } = useRouter();
  return (draw) =>
    keep((close) => (
      <Router base={base}>
        <WorkspaceProvider workspace={workspace}>{draw(close)}</WorkspaceProvider>
      </Router>
    ));
}
