import { ActionIcon, Anchor, Group, Text } from "@mantine/core";
import { useCallback, useSyncExternalStore } from "react";
import { Link } from "wouter";
import type { RoomCall } from "#web/api/live-shapes.ts";
import { StopButton } from "#web/domain/call/stop-button.tsx";
import { ListeningControls } from "#web/features/live/call-controls.tsx";
import type { Listening } from "#web/features/live/use-listening.ts";
import { type Kind, WordsFields } from "#web/features/live/words-form.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { nameOf } from "./room-order.ts";
import type { RoomStore } from "./room-store.ts";

interface DockProps {
  store: RoomStore;
  rowId: string;
  /** Name under which the call was known, for when it is over. */
  name: string;
  listening: Listening;
  kind: Kind;
  setKind: (kind: Kind) => void;
  takeField: (field: HTMLInputElement | null) => void;
  close: () => void;
}

/** The call that is listened to or spoken to, below the tiles: none of them is covered. */
export function RoomDock(props: DockProps) {
  const { store, rowId, name, close } = props;
  const follow = useCallback((wake: () => void) => store.follow(rowId, wake), [store, rowId]);
  const call = useSyncExternalStore(follow, () => store.get(rowId));
  return (
    <section className="dock" aria-label={t`Supervised call`}>
      <Group gap="sm" justify="space-between" wrap="nowrap">
        <Text component="bdi" fz="sm" fw={600} truncate>
          {call ? nameOf(call) : name}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Anchor component={Link} href={`/calls/${rowId}`} fz="xs">
            {t`Open the call`}
          </Anchor>
          {call?.actions.includes("end") && <StopButton rowId={rowId} how="end" size="xs" />}
          <ActionIcon variant="subtle" color="gray" aria-label={t`Close the supervised call`} onClick={close}>
            <Icon name="close" />
          </ActionIcon>
        </Group>
      </Group>
      {call ? (
        <DockParts {...props} call={call} />
      ) : (
        <Text fz="sm" c="dimmed" role="status">
          {t`This call is over.`}
        </Text>
      )}
    </section>
  );
}

function DockParts({ call, rowId, listening, kind, setKind, takeField }: DockProps & { call: RoomCall }) {
  const isTalking = call.status === "IN_PROGRESS";
  const leave = () => document.querySelector<HTMLElement>(`[data-row="${rowId}"]`)?.focus();
  return (
    <div className="dock-parts">
      <div>
        {call.tile?.isText ? (
          <Text fz="xs" c="dimmed">
            {t`This call is held in text: there is nothing to hear.`}
          </Text>
        ) : (
          <ListeningControls rowId={rowId} isTalking={isTalking} listening={listening} />
        )}
      </div>
      <WordsFields
        rowId={rowId}
        isTalking={isTalking}
        kind={kind}
        setKind={setKind}
        takeField={takeField}
        leave={leave}
      />
    </div>
  );
}
