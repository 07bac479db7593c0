import { UnstyledButton } from "@mantine/core";
import { useMemo, useState } from "react";
import { t } from "#web/i18n/t.ts";
import { withoutBidi } from "./format/bidi.ts";
import { formatNumber } from "./format/format.ts";
import "./long-text.css";
import { cutAround, splitText } from "./split-text.ts";

/** Characters shown before the text is unfolded. */
const SHOWN = 2_000;

/** Text of callers and tools; a long one is folded, around the first match of `find` if any. */
export function LongText(props: { text: string; className?: string; find?: string }) {
  const { className, find = "" } = props;
  const text = useMemo(() => withoutBidi(props.text), [props.text]);
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHOWN;
  return (
    <>
      {isWhole && isLong ? (
        <WholeText text={text} className={className} />
      ) : (
        <bdi className={className}>
          <Found text={isLong ? cutAround(text, find, SHOWN) : text} find={find} />
        </bdi>
      )}
      {isLong && (
        <UnstyledButton className="long-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t`Show less` : t`Show all ${formatNumber(text.length)} characters`}
        </UnstyledButton>
      )}
    </>
  );
}

function WholeText({ text, className }: { text: string; className: string | undefined }) {
  const parts = useMemo(() => splitText(text), [text]);
  return (
    <div className={className} dir="auto">
      {parts.map((part, index) => (
        <span key={index} className="long-part">
          {part}
        </span>
      ))}
    </div>
  );
}

/** The text with the first match of `find` marked. */
function Found({ text, find }: { text: string; find: string }) {
  const at = find === "" ? -1 : text.toLowerCase().indexOf(find.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + find.length)}</mark>
      {text.slice(at + find.length)}
    </>
  );
}
