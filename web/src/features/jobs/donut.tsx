import { plural } from "#web/i18n/t.ts";
import { formatName, formatNumber, formatShare } from "#web/ui/format/format.ts";

const RADIUS = 42;
const LENGTH = 2 * Math.PI * RADIUS;

/** Ring of shares with the sum in its middle; screen readers get the same in words. */
export function Donut(props: {
  slices: { name: string; count: number; color: string }[];
  total: number;
  /** Noun for the sum. */
  word?: string;
}) {
  const { slices, total, word = plural(total, "row finished", "rows finished") } = props;
  const words = slices.map(({ name, count }) => `${formatName(name)} ${formatShare(count / total)}`).join(", ");
  return (
    <svg width={112} height={112} viewBox="0 0 108 108" role="img" aria-label={words} style={{ flexShrink: 0 }}>
      <g transform="rotate(-90 54 54)">
        {slices.map(({ name, count, color }, index) => {
          const length = (LENGTH * count) / total;
          const gap = slices.length > 1 ? Math.min(1.5, length / 3) : 0;
          const before = slices.slice(0, index).reduce((sum, slice) => sum + slice.count, 0);
          return (
            <circle
              key={name}
              cx={54}
              cy={54}
              r={RADIUS}
              fill="none"
              stroke={color}
              strokeWidth={15}
              strokeDasharray={`${Math.max(0.5, length - gap)} ${LENGTH}`}
              strokeDashoffset={(-LENGTH * before) / total}
            />
          );
        })}
      </g>
      <text x={54} y={53} textAnchor="middle" className="donut-sum">
        {formatNumber(total)}
      </text>
      <text x={54} y={66} textAnchor="middle" className="donut-word">
        {word}
      </text>
    </svg>
  );
}
