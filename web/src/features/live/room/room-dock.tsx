import { ActionIcon, Anchor, Group, Text } from "@mantine/core";
import { type RefObject, useCallback, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { StopButton } from "#web/domain/call/stop-button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { ListeningControls } from "../call-controls.tsx";
import type { Listening } from "../use-listening.ts";
import { type Kind, WordsFields } from "../words-form.tsx";
import { nameOf } from "./room-order.ts";
import type { RoomStore } from "./room-store.ts";

/** The call that is listened to or spoken to, below the tiles: none of them is covered. */
export function RoomDock(props: {
  store: RoomStore;
  rowId: string;
  /** Name under which the call was known, for when it is over. */
  name: string;
  listening: Listening;
  kind: Kind;
  setKind: (kind: Kind) => void;
  words: RefObject<HTMLInputElement | null>;
  close: () => void;
}) {
  const { store, rowId } = props;
  const follow = useCallback((wake: () => void) => store.follow(rowId, wake), [store, rowId]);
  const call = useSyncExternalStore(follow, () => store.get(rowId));
  const isTalking = call?.status === "IN_PROGRESS";
  return (
    <section className="dock" aria-label="Supervised call">
      <Group gap="sm" justify="space-between" wrap="nowrap">
        <Text component="bdi" fz="sm" fw={600} truncate>
          {call ? nameOf(call) : props.name}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Anchor component={Link} href={`/calls/${rowId}`} fz="xs">
            Open the call
          </Anchor>
          {call?.actions.includes("end") && <StopButton rowId={rowId} how="end" size="xs" />}
          <ActionIcon variant="subtle" color="gray" aria-label="Close the supervised call" onClick={props.close}>
            <Icon name="close" />
          </ActionIcon>
        </Group>
      </Group>
      {call ? (
        <div className="dock-parts">
          <div>
            {call.tile?.isText ? (
              <Text fz="xs" c="dimmed">
                This call is held in text: there is nothing to hear.
              </Text>
            ) : (
              <ListeningControls rowId={rowId} isTalking={isTalking} listening={props.listening} />
            )}
          </div>
          <div
            onKeyDown={({ key }) => {
              if (key === "Escape") document.querySelector<HTMLElement>(`[data-row="${rowId}"]`)?.focus();
            }}
          >
            <WordsFields
              rowId={rowId}
              isTalking={isTalking}
              kind={props.kind}
              setKind={props.setKind}
              input={props.words}
            />
          </div>
        </div>
      ) : (
        <Text fz="sm" c="dimmed" role="status">
          This call is over.
        </Text>
      )}
    </section>
  );
}
