import type { CallRow } from "@parley/sdk";
import { useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { inWorkspace, send } from "#web/api/http.ts";
import { showFault } from "#web/api/undo.tsx";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { useIsHere } from "#web/ui/use-is-here.ts";
import { type ChosenPeople, peopleOfCalls, peopleOfContacts } from "./chosen-people.ts";
import type { Contact } from "./contact.ts";

/** What the entry of the browser's history holds, so that a reload still knows them. */
interface HeldPeople {
  chosenPeople: ChosenPeople;
}

/** Calls whose people can be called again, as a job with its own check, hours and retries. */
export function useJobOfCalls(): BulkAction<CallRow>[] {
  const { id: workspaceId } = useWorkspace();
  // Their data is handed on, so its numbers must be as they came, which those of a list are not.
  const read = ({ id }: CallRow) =>
    send<CallRow>("GET", inWorkspace(workspaceId, `/call-rows/${id}`), { isExact: true });
  return useJobAction(
    ({ customerNumber }) => customerNumber.startsWith("+"),
    async (rows) => peopleOfCalls(await Promise.all(rows.map(read))),
  );
}

/** Contacts who can be called together. */
export function useJobOfContacts(): BulkAction<Contact>[] {
  return useJobAction(({ phone, optedOut }) => phone !== null && !optedOut, peopleOfContacts);
}

function useJobAction<T>(
  only: (row: T) => boolean,
  toPeople: (rows: T[]) => ChosenPeople | Promise<ChosenPeople>,
): BulkAction<T>[] {
  const [, navigate] = useLocation();
  const isHere = useIsHere();
  const open = async (rows: T[]) => {
    try {
      const held: HeldPeople = { chosenPeople: await toPeople(rows) };
      if (isHere()) navigate("/jobs/new", { state: held });
    } catch (fault) {
      showFault(fault, "The calls could not be read");
    }
  };
  return useMay("CALL_JOBS_WRITE") ? [{ label: "New call job", icon: "list", only, all: open }] : [];
}

/** Those who were chosen before the wizard was opened; null when nobody was. */
export function useChosenPeople(): ChosenPeople | null {
  return useHistoryState<HeldPeople | null>()?.chosenPeople ?? null;
}

/** Lets go of them once their job is made: who goes back is not to find it there to be started again. */
export function forgetChosenPeople(): void {
  window.history.replaceState(null, "");
}
