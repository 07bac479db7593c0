import { Button } from "@mantine/core";
import { useWrite } from "#web/api/queries.ts";
import { notifyResult } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
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
    title: t`End this call?`,
    body: t`The line is hung up at once, without a goodbye. What was said so far is kept.`,
    action: t`End call`,
    icon: "hangUp",
    done: t`The call is ended.`,
    failed: t`The call was not ended`,
  },
  cancel: {
    title: t`Cancel this call?`,
    body: t`It waits, and is then never dialled. This cannot be taken back.`,
    action: t`Cancel call`,
    icon: "stop",
    done: t`The call is cancelled.`,
    failed: t`The call was not cancelled`,
  },
} satisfies Record<string, Stop>;

/** Returns a function that stops a call after confirmation: ends it when it is live, cancels it when it waits. */
export function useStopCall(how: keyof typeof STOPS): { stop: (rowId: string) => void; isStopping: boolean } {
  const { icon: _, done, failed, ...question } = STOPS[how];
  const ask = useConfirm();
  const write = useWrite<unknown, string>({
    failed,
    method: "POST",
    path: (rowId) => `/call-rows/${rowId}/${how}`,
    body: () => undefined,
    refreshes: ["/call-rows", "/call-history", "/call-jobs"],
  });
  const stop = async (rowId: string) => {
    if (await ask({ ...question, isDangerous: true })) notifyResult(write.mutateAsync(rowId), done);
  };
  return { stop: (rowId) => void stop(rowId), isStopping: write.isPending };
}

/** Button that stops a call after confirmation. */
export function StopButton({ rowId, how, size }: { rowId: string; how: keyof typeof STOPS; size?: "xs" }) {
  const { icon, action } = STOPS[how];
  const { stop, isStopping } = useStopCall(how);
  return (
    <Button
      {...(size ? { size } : {})}
      variant="light"
      color="red"
      leftSection={<Icon name={icon} size={15} />}
      loading={isStopping}
      onClick={() => stop(rowId)}
    >
      {action}
    </Button>
  );
}
