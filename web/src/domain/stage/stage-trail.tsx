import { UnstyledButton } from "@mantine/core";
import type { StageVisit } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import "./stage-trail.css";

interface TrailProps {
  path: StageVisit[];
  /** Index of the visit that is shown; null: the run is over, and all of it is shown. */
  at: number | null;
  /** Shows the run as it was at that visit. */
  choose?: (index: number) => void;
}

/** Visits that are shown, the newest ones; a run of many circles has up to 500. */
const MOST_SHOWN = 30;

/** The stages of a run one after the other, with the one in which it is. */
export function StageTrail({ path, at, choose }: TrailProps) {
  const first = Math.max(0, path.length - MOST_SHOWN);
  return (
    <ol className="stage-trail" aria-label={t`Stages so far`} aria-live="polite" start={first + 1}>
      {path.slice(first).map((visit, offset) => {
        const index = first + offset;
        const current = index === at ? { "aria-current": "step" as const } : {};
        return (
          <li key={index}>
            {choose ? (
              <UnstyledButton className="stage-step" {...current} onClick={() => choose(index)}>
                {visit.stageName}
              </UnstyledButton>
            ) : (
              <span className="stage-step" {...current}>
                {visit.stageName}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
