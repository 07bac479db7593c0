import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

/** What a person is asked before something that cannot be taken back. */
export interface Question {
  title: string;
  body: ReactNode;
  /** What the button does, as a verb: "Revoke key". */
  action: string;
  /** True: red. */
  isDangerous?: boolean;
}

type Ask = (question: Question) => Promise<boolean>;

const AskContext = createContext<Ask>(() => Promise.resolve(false));

/** Holds the one dialog that asks. */
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
      <Modal opened={open !== null} onClose={() => close(false)} title={<Text fw={600}>{open?.question.title}</Text>}>
        <Stack>
          <Text component="div" fz="sm">
            {open?.question.body}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => close(false)}>
              Cancel
            </Button>
            <Button color={open?.question.isDangerous ? "red" : "parley"} onClick={() => close(true)} data-autofocus>
              {open?.question.action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </AskContext>
  );
}

/** Asks in a dialog; gives true when the person agrees. */
export function useConfirm(): Ask {
  return useContext(AskContext);
}
