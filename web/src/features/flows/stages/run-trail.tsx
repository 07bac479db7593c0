import type { StageVisit } from "@parley/sdk";
import { useEffect, useState } from "react";
import type { StageRun } from "#web/domain/stage/stage-run.ts";
import { StageTrail } from "#web/domain/stage/stage-trail.tsx";

interface RunTrailProps {
  path: StageVisit[];
  isOver: boolean;
  /** True: a run that took no time is shown stage by stage. */
  isReplayed?: boolean;
  showRun: (run: StageRun | null) => void;
}

const STEP_MS = 900;

/** The stages of a test, which the map marks too; a click on one shows the test as it was there. */
export function RunTrail({ path, isOver, isReplayed = false, showRun }: RunTrailProps) {
  const [chosen, choose] = useState<number | null>(() => (isReplayed && mayMove() ? 0 : null));
  const last = path.length - 1;
  const at = chosen !== null && chosen < last ? chosen : null;
  useEffect(() => {
    if (path.length > 0) showRun(at === null ? { path, isOver } : { path: path.slice(0, at + 1), isOver: false });
  }, [path, isOver, at, showRun]);
  useEffect(() => () => showRun(null), [showRun]);
  const [isPlaying, setPlaying] = useState(chosen !== null);
  useEffect(() => {
    if (!isPlaying || at === null) return;
    const timer = setTimeout(() => choose(at + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, at]);
  if (path.length === 0) return null;
  return (
    <StageTrail
      path={path}
      at={at ?? (isOver ? null : last)}
      choose={(index) => {
        setPlaying(false);
        choose(index);
      }}
    />
  );
}

function mayMove(): boolean {
  return !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
