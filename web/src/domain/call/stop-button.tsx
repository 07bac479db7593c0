import { Button } from "@mantine/core";
import { useWrite } from "#web/api/queries.ts";
import { notifyResult } from "#web/api/undo.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import type { Question } from "#web/ui/question.ts";

interface Stop extends Omit<Question, "isDangerous"> {
  icon: IconName;
  done: string;
  failed: string;
}

const STOPS = {
  end: {
    title: "End this call?",
    body: "The line is hung up at once, without a goodbye. What was said so far is kept.",
    action: "End call",
    icon: "hangUp",
    done: "The call is ended.",
    failed: "The call was not ended",
  },
  cancel: {
    title: "Cancel this call?",
    body: "It waits, and is then never dialled. This cannot be taken back.",
    action: "Cancel call",
    icon: "stop",
    done: "The call is cancelled.",
    failed: "The call was not cancelled",
  },
} satisfies Record<string, Stop>;

/** Stops a call after confirmation: ends it when it rings or is under way, cancels it when it waits. */
export function StopButton({ rowId, how, size }: { rowId: string; how: keyof typeof STOPS; size?: "xs" }) {
  const { icon, done, failed, ...question } = STOPS[how];
  const ask = useConfirm();
  const write = useWrite({
    failed,
    method: "POST",
    path: `/call-rows/${rowId}/${how}`,
    refreshes: [`/call-rows/${rowId}`, "/call-history", "/call-jobs"],
  });
  const stop = async () => {
    if (!(await ask({ ...question, isDangerous: true }))) return;
    notifyResult(write.mutateAsync(), done);
  };
  return (
    <Button
      {...(size ? { size } : {})}
      variant="light"
      color="red"
      leftSection={<Icon name={icon} size={15} />}
      loading={write.isPending}
      onClick={() => void stop()}
    >
      {question.action}
    </Button>
  );
}
