import { Button, Checkbox, Group, Menu, Select, Stack, Text } from "@mantine/core";
import type { ResultBoard } from "@parley/sdk";
import { useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { RESULT_CARDS, type ResultCard } from "#web/domain/results/results-query.ts";
import { t } from "#web/i18n/t.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useRemoval } from "#web/ui/use-removal.ts";
import { BoardDialog } from "./board-dialog.tsx";
import { BOARDS_PATH, CARD_NAMES, toValues } from "./board.ts";

interface BoardBarProps {
  values: FilterValues;
  setAll: (values: FilterValues) => void;
  cards: readonly ResultCard[];
}

/** Saved boards of the workspace: opens one, saves filters and cards as one, and chooses the cards. */
export function BoardBar({ values, setAll, cards }: BoardBarProps) {
  const boards = useRead<ResultBoard[]>(BOARDS_PATH).data ?? [];
  const open = boards.find(({ id }) => id === values.board?.[0]) ?? null;
  const mayWrite = [useMay("CALL_JOBS_WRITE"), useMay("FLOWS_WRITE")].includes(true);
  const [saving, setSaving] = useState<"NEW" | "OPEN" | null>(null);
  const remove = useBoardRemoval(() => setAll({}));
  return (
    <Group gap="xs">
      <Select
        size="xs"
        aria-label={t`Board`}
        w={200}
        placeholder={boards.length === 0 ? t`No board saved yet` : t`Choose a board`}
        clearable
        searchable
        data={boards.map(({ id, name }) => ({ value: id, label: name }))}
        value={open?.id ?? null}
        onChange={(id) => {
          const board = boards.find((one) => one.id === id);
          setAll(board ? toValues(board) : {});
        }}
      />
      <CardMenu cards={cards} change={(next) => setAll({ ...values, cards: next })} />
      {mayWrite && <BoardButtons open={open} save={setSaving} remove={(board) => void remove(board)} />}
      {saving !== null && (
        <BoardDialog
          board={saving === "OPEN" ? open : null}
          values={values}
          cards={cards}
          saved={(board) => setAll(toValues(board))}
          close={() => setSaving(null)}
        />
      )}
    </Group>
  );
}

interface BoardButtonsProps {
  open: ResultBoard | null;
  save: (what: "NEW" | "OPEN") => void;
  remove: (board: ResultBoard) => void;
}

function BoardButtons({ open, save, remove }: BoardButtonsProps) {
  return (
    <>
      {open && (
        <Button size="xs" variant="default" onClick={() => save("OPEN")}>
          {t`Change board`}
        </Button>
      )}
      <Button size="xs" variant="default" leftSection={<Icon name="star" size={14} />} onClick={() => save("NEW")}>
        {t`Save as board`}
      </Button>
      {open && (
        <Button size="xs" variant="subtle" color="red" onClick={() => remove(open)}>
          {t`Delete board`}
        </Button>
      )}
    </>
  );
}

function useBoardRemoval(after: () => void): (board: ResultBoard) => Promise<boolean> {
  return useRemoval<ResultBoard>({
    path: ({ id }) => `${BOARDS_PATH}/${id}`,
    name: ({ name }) => name,
    warning: t`Its filters and cards are gone for everybody in this workspace. The calls stay.`,
    refreshes: [BOARDS_PATH],
    after,
  });
}

function CardMenu({ cards, change }: { cards: readonly ResultCard[]; change: (cards: ResultCard[]) => void }) {
  return (
    <Menu position="bottom-start" withinPortal closeOnItemClick={false} trapFocus={false}>
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<Icon name="down" size={12} />}>
          {t`Cards: ${cards.length} of ${RESULT_CARDS.length}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown p="sm">
        <Stack gap={8} role="group" aria-label={t`Cards`}>
          {RESULT_CARDS.map((card) => (
            <Checkbox
              key={card}
              size="xs"
              label={CARD_NAMES[card]}
              checked={cards.includes(card)}
              disabled={cards.length === 1 && cards.includes(card)}
              onChange={({ currentTarget: { checked } }) =>
                change(checked ? [...cards, card] : cards.filter((one) => one !== card))
              }
            />
          ))}
          <Text fz="xs" c="dimmed">
            {t`A card that is put back comes last.`}
          </Text>
        </Stack>
      </Menu.Dropdown>
    </Menu>
  );
}
