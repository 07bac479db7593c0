import { Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ResultBoard } from "@parley/sdk";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import type { ResultCard } from "#web/domain/results/results-query.ts";
import { t } from "#web/i18n/t.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { BOARDS_PATH, toBoardFilters } from "./board.ts";

/** Names the filters and cards that are shown; `board` null: as a new board. */
export function BoardDialog(props: {
  board: ResultBoard | null;
  values: FilterValues;
  cards: readonly ResultCard[];
  saved: (board: ResultBoard) => void;
  close: () => void;
}) {
  const { board, values, cards, saved, close } = props;
  const { timeZone } = useWorkspace();
  const form = useForm({ initialValues: { name: board?.name ?? "" } });
  const write = useWrite<ResultBoard, { name: string }>({
    failed: t`The board was not saved`,
    method: board ? "PUT" : "POST",
    path: board ? `${BOARDS_PATH}/${board.id}?ifUpdatedAt=${encodeURIComponent(board.updatedAt)}` : BOARDS_PATH,
    body: ({ name }) => ({ name, filters: toBoardFilters(values, timeZone), cards: [...cards] }),
    refreshes: [BOARDS_PATH],
  });
  const sending = useSubmit(
    form,
    async (input) => {
      const made = await write.mutateAsync(input);
      showDone(t`The board ${made.name} is saved.`);
      saved(made);
      close();
    },
    { key: `board ${board?.id ?? ""}` },
  );
  return (
    <FormDialog
      title={board ? t`Change ${board.name}` : t`Save as board`}
      size="md"
      form={form}
      sending={sending}
      close={close}
      action={board ? t`Change board` : t`Save board`}
    >
      <TextInput label={t`Name`} required maxLength={100} data-autofocus {...form.getInputProps("name")} />
      <Text fz="sm" c="dimmed">
        {t`Everybody in this workspace finds it. It keeps the filters and the ${cards.length} cards that are shown now`}
        {values.lastDays?.[0] ? t`; its days move with the calendar.` : "."}
      </Text>
    </FormDialog>
  );
}
