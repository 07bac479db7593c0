import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { dropRows } from "#web/api/cache-patches.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault, showUndo, notifyResult } from "#web/api/undo.tsx";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { type Contact, nameOf } from "#web/domain/contact/contact.ts";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useIsHere } from "#web/ui/use-is-here.ts";

/** Actions to opt a contact out or in again, and to delete their data for good. */
export function ContactActions({ contact }: { contact: Contact }) {
  const mayCall = useMay("CALL_JOBS_WRITE");
  const mayChat = useMay("OUTBOUND_CHATS_TRIGGER");
  const mayErase = useMay("DATA_STORES_WRITE");
  return (
    <>
      {(mayCall || mayChat) && <OptOutButton contact={contact} />}
      {mayErase && <EraseButton contact={contact} />}
    </>
  );
}

function OptOutButton({ contact }: { contact: Contact }) {
  const ask = useConfirm();
  const path = `/contacts/${contact.id}/opt-out`;
  const optOut = useWrite({ failed: t`They may still be contacted`, method: "POST", path, refreshes: ["/contacts"] });
  const takeBack = useWrite({
    failed: t`They are still not contacted`,
    method: "DELETE",
    path,
    refreshes: ["/contacts"],
  });
  const change = async () => {
    if (contact.optedOut) {
      const undo = () => showUndo(t`They may be contacted again.`, () => optOut.mutateAsync());
      return notifyResult(takeBack.mutateAsync(), undo);
    }
    const isSure = await ask({
      title: t`No more contact with ${nameOf(contact)}?`,
      body:
        contact.phone === null
          ? t`No chat is started with them any more. You can take it back.`
          : t`Their number goes on the do-not-call list: calls are skipped, and no message is sent. You can take it back.`,
      action: t`Do not contact`,
      isDangerous: true,
    });
    if (isSure) notifyResult(optOut.mutateAsync(), t`They are not contacted any more.`);
  };
  // Only the person can undo an opt-out of their own.
  if (contact.optedOut && contact.optOutSource !== "OPERATOR") return null;
  return (
    <Button variant="default" loading={optOut.isPending || takeBack.isPending} onClick={() => void change()}>
      {contact.optedOut ? t`Allow contact again` : t`Do not contact`}
    </Button>
  );
}

function EraseButton({ contact }: { contact: Contact }) {
  const ask = useConfirm();
  const [, navigate] = useLocation();
  const isHere = useIsHere();
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const erase = useWrite({ failed: t`The contact was not erased`, method: "DELETE", path: `/contacts/${contact.id}` });
  const run = async () => {
    const isSure = await ask({
      title: t`Erase ${nameOf(contact)}?`,
      body: t`Transcripts, recordings, messages, names and numbers of all calls and chats with them are gone for good. Counts, costs and outcomes stay, and so does an entry of the do-not-call list.`,
      action: t`Erase for good`,
      isDangerous: true,
    });
    if (!isSure) return;
    // Erased in steps of so many, beyond one of them.
    const isLarge = Math.max(contact.callCount, contact.chatCount) >= 200;
    const go = () => {
      dropRows(client, workspaceId, "/contacts", [contact.id]);
      showDone(isLarge ? t`The contact is being erased. That takes some minutes.` : t`The contact is erased.`);
      if (isHere()) navigate("/contacts");
    };
    await erase.mutateAsync().then(go, showFault);
  };
  return (
    <Button
      variant="light"
      color="red"
      leftSection={<Icon name="trash" />}
      loading={erase.isPending}
      onClick={() => void run()}
    >
      {t`Erase`}
    </Button>
  );
}
