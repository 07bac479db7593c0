import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from "react";
import type { Question } from "./question.ts";

const ConfirmDialog = lazy(async () => ({ default: (await import("./confirm-dialog.tsx")).ConfirmDialog }));

type Ask = (question: Question) => Promise<boolean>;

const AskContext = createContext<Ask>(() => Promise.resolve(false));

/** Holds the confirmation dialog. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<{ question: Question; answer: (yes: boolean) => void } | null>(null);
  const ask = useCallback<Ask>((question) => new Promise((resolve) => setOpen({ question, answer: resolve })), []);
  const close = (yes: boolean) => {
    open?.answer(yes);
    setOpen(null);
  };
  return (
    <AskContext value={ask}>
      {children}
      <Suspense fallback={null}>{open && <ConfirmDialog question={open.question} close={close} />}</Suspense>
    </AskContext>
  );
}

/** Returns a function that asks in a dialog; it resolves to true when the person agrees. */
export function useConfirm(): Ask {
  return useContext(AskContext);
}
