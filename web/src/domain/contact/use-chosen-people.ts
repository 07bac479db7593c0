import type { CallRow } from "@parley/sdk";
import { useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { inWorkspace, send } from "#web/api/http.ts";
import { showFault } from "#web/api/undo.tsx";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { useIsHere } from "#web/ui/use-is-here.ts";
import { type ChosenPeople, peopleOfCalls, peopleOfContacts } from "./chosen-people.ts";
import type { Contact } from "./contact.ts";

/** State in the browser's history entry, so that a reload keeps the chosen people. */
export interface HeldPeople {
  chosenPeople: ChosenPeople;
  /** Time of the choice, which tells it from others. */
  chosenAt: number;
}

/** Action that makes a job from the people of calls, with its own check, hours and retries. */
export function useJobOfCalls(): BulkAction<CallRow>[] {
  const { id: workspaceId } = useWorkspace();
  // The data is sent on, so its numbers must be exact, and those of a list are not.
  const read = ({ id }: CallRow) =>
    send<CallRow>("GET", inWorkspace(workspaceId, `/call-rows/${id}`), { isExact: true });
  return useJobAction(
    ({ customerNumber }) => customerNumber.startsWith("+"),
    async (rows) => peopleOfCalls(await Promise.all(rows.map(read))),
  );
}

/** Action that makes a job from contacts. */
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
      const held: HeldPeople = { chosenPeople: await toPeople(rows), chosenAt: Date.now() };
      if (isHere()) navigate("/jobs/new", { state: held });
    } catch (fault) {
      showFault(fault, t`The calls could not be read`);
    }
  };
  return useMay("CALL_JOBS_WRITE") ? [{ label: t`New call job`, icon: "list", only, all: open }] : [];
}

/** People chosen before the wizard opened; null when there are none. */
export function useChosenPeople(): HeldPeople | null {
  const held = useHistoryState<HeldPeople | null>();
  return held?.chosenPeople ? held : null;
}

/** Drops them once their job is made, so that going back does not offer to start it again. */
export function forgetChosenPeople(): void {
  window.history.replaceState(null, "");
}
