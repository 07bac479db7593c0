import { Button } from "@mantine/core";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Icon } from "#web/ui/icon.tsx";

/** Ends a call that rings or is under way, after asking. */
export function EndButton({ rowId }: { rowId: string }) {
  const ask = useConfirm();
  const write = useWrite({
    method: "POST",
    path: `/call-rows/${rowId}/end`,
    refreshes: [`/call-rows/${rowId}`, "/call-history"],
  });
  const end = async () => {
    const isSure = await ask({
      title: "End this call?",
      body: "The line is hung up at once, without a goodbye. What was said so far is kept.",
      action: "End call",
      isDangerous: true,
    });
    if (!isSure) return;
    write.mutate(undefined, {
      onSuccess: () => showDone("The call is ended."),
      onError: (error) => showFault(error, "The call was not ended"),
    });
  };
  return (
    <Button
      size="xs"
      variant="light"
      color="red"
      leftSection={<Icon name="hangUp" size={15} />}
      loading={write.isPending}
      onClick={() => void end()}
    >
      End call
    </Button>
  );
}
