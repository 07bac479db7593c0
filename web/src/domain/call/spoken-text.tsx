import { memo, useState } from "react";
import { withoutBidi } from "#web/ui/format/bidi.ts";
import type { SpokenWord } from "./word-times.ts";

/** A line that is played: its words are lit as they are spoken. */
export const WordText = memo(function WordText({ words, begun }: { words: SpokenWord[]; begun: number }) {
  return (
    <bdi className="line-text">
      {words.map(({ text }, index) => (
        <span key={index} className={index < begun - 1 ? "word-said" : index < begun ? "word-now" : "word-later"}>
          {withoutBidi(text)}
        </span>
      ))}
    </bdi>
  );
});

/** The newest line of a live call: the words that were just said are lit. */
export function FreshText({ text }: { text: string }) {
  const [known, setKnown] = useState({ text, from: 0 });
  if (known.text !== text) setKnown({ text, from: text.startsWith(known.text) ? known.text.length : 0 });
  const { from } = known.text === text ? known : { from: 0 };
  return (
    <bdi className="line-text">
      {withoutBidi(text.slice(0, from))}
      <span className="words-fresh">{withoutBidi(text.slice(from))}</span>
    </bdi>
  );
}
