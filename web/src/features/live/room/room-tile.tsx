import { VisuallyHidden } from "@mantine/core";
import { memo, useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { Link } from "wouter";
import type { CallTile, RoomCall } from "#web/api/live-shapes.ts";
import { useFieldTitles } from "#web/domain/output/use-field-titles.ts";
import { secondsOf } from "#web/features/live/live-calls.ts";
import { t } from "#web/i18n/t.ts";
import { formatDuration, formatMilliseconds, formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { Words } from "#web/ui/words.tsx";
import { SHOWN } from "./level-history.ts";
import { ALERT_NAMES, nameOf } from "./room-order.ts";
import type { RoomStore } from "./room-store.ts";
import { useSecond } from "./second.ts";

const TONES = { ANGRY: t`Angry`, NEGATIVE: t`Unhappy`, NEUTRAL: t`Neutral`, POSITIVE: t`Pleased` } as const;

interface TileProps {
  store: RoomStore;
  rowId: string;
  href: string;
  /** Place of the tile among all, from 1, and their number: most of them are not drawn. */
  place: number;
  count: number;
  /** Place of the tile in the grid, in pixels. */
  x: number;
  y: number;
  width: number;
  /** True for the tile that the keys act on; only it is in the order of Tab. */
  isSelected: boolean;
  /** True while its call is in the dock. */
  isDocked: boolean;
  select: (rowId: string) => void;
}

/** Tile of a live call: who, what was said last, how loud, how long, and what is wrong. */
export const RoomTile = memo(function RoomTile({ store, rowId, ...props }: TileProps) {
  const follow = useCallback((wake: () => void) => store.follow(rowId, wake), [store, rowId]);
  const call = useSyncExternalStore(follow, () => store.get(rowId));
  return call ? <TileOf call={call} store={store} {...props} /> : null;
});

function TileOf(props: Omit<TileProps, "rowId"> & { call: RoomCall }) {
  const { call, store, isSelected, isDocked } = props;
  const { alerts, tile } = call;
  return (
    <li
      className="tile"
      style={{ transform: `translate(${props.x}px, ${props.y}px)`, width: props.width }}
      data-tone={tile?.tone}
      data-alert={alerts.length > 0 || undefined}
      data-docked={isDocked || undefined}
      aria-setsize={props.count}
      aria-posinset={props.place}
    >
      <div className="tile-head">
        <Link
          href={props.href}
          className="tile-link"
          data-row={call.rowId}
          tabIndex={isSelected ? 0 : -1}
          onFocus={() => props.select(call.rowId)}
        >
          <Phone number={nameOf(call)} />
        </Link>
        {call.status === "IN_PROGRESS" ? (
          <TileClock call={call} />
        ) : (
          <span className="tile-state">{formatName(call.status)}</span>
        )}
      </div>
      {alerts.length > 0 && (
        <div className="tile-alerts">
          {alerts.map(({ kind }) => (
            <span key={kind} className="tile-alert">
              <Icon name="alert" size={12} /> {ALERT_NAMES[kind]}
            </span>
          ))}
        </div>
      )}
      <p className="tile-line" data-role={tile?.role ?? undefined}>
        {tile?.role ? (
          <>
            <span className="tile-who">{tile.role === "USER" ? t`Person` : t`Agent`}</span> <Words>{tile.text}</Words>
          </>
        ) : (
          <span className="tile-who">{t`Nothing said yet`}</span>
        )}
      </p>
      {tile?.isText ? <Typing tile={tile} /> : <Waveform store={store} rowId={call.rowId} />}
      <TileFoot tile={tile} />
    </li>
  );
}

function TileClock({ call }: { call: RoomCall }) {
  const nowMs = useSecond();
  return <span className="tile-clock">{formatDuration(secondsOf(call, nowMs))}</span>;
}

function TileFoot({ tile }: { tile: CallTile | null }) {
  const titleOf = useFieldTitles();
  const fields = Object.entries(tile?.fields ?? {}).map(([name, value]) => [titleOf(name), value] as const);
  const wanted = tile?.wanted ?? 0;
  return (
    <div className="tile-foot">
      <span className="tile-tone">{TONES[tile?.tone ?? "NEUTRAL"]}</span>
      {tile?.latencyMs != null && (
        <span title={t`Wait for the latest answer`}>
          <VisuallyHidden>{t`answered in `}</VisuallyHidden>
          {formatMilliseconds(tile.latencyMs)}
        </span>
      )}
      {wanted > 0 && (
        <span className="tile-fields" title={fields.map(([name, value]) => `${name}: ${value}`).join("\n")}>
          <progress max={wanted} value={Math.min(fields.length, wanted)} aria-label={t`Fields filled`} />{" "}
          {fields.length}/{wanted}
          {fields.length > 0 && <Words className="tile-latest"> {fields.at(-1)?.join(": ")}</Words>}
        </span>
      )}
    </div>
  );
}

/** Whose turn it is in a call that is held in text. */
function Typing({ tile }: { tile: CallTile }) {
  return (
    <div className="tile-typing" data-role={tile.role === "USER" ? "ASSISTANT" : "USER"}>
      <i />
      <i />
      <i />
      <span>{tile.role === "USER" ? t`The agent answers` : t`The person's turn`}</span>
    </div>
  );
}

/** Loudness of both sides; drawn without rendering, twice a second. */
function Waveform({ store, rowId }: { store: RoomStore; rowId: string }) {
  const person = useRef<SVGPathElement>(null);
  const agent = useRef<SVGPathElement>(null);
  useEffect(
    () =>
      store.draw(rowId, ({ paths }) => {
        person.current?.setAttribute("d", paths.person);
        agent.current?.setAttribute("d", paths.agent);
      }),
    [store, rowId],
  );
  return (
    <svg className="tile-wave" viewBox={`0 0 ${2 * SHOWN} 32`} preserveAspectRatio="none" aria-hidden="true">
      <path className="wave-axis" d={`M0 16h${2 * SHOWN}`} />
      <path className="wave-agent" ref={agent} />
      <path className="wave-person" ref={person} />
    </svg>
  );
}
