import { useMemo } from "react";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { JsonView } from "#web/ui/json-view.tsx";

const LONGEST_PARSED = 500_000;

/** A body: as coloured JSON where it is some, else as the text that it is. */
export function BodyView({ body, label, maxHeight = 480 }: { body: string; label: string; maxHeight?: number }) {
  const json = useMemo(() => readJson(body), [body]);
  return json === undefined ? (
    <CodeBlock text={body} label={label} maxHeight={maxHeight} />
  ) : (
    <JsonView value={json} label={label} maxHeight={maxHeight} />
  );
}

/** Undefined for what is no JSON; a number beyond what JavaScript holds would change, so such a body stays text. */
function readJson(text: string): unknown {
  if (text.length > LONGEST_PARSED || /[^"\w]-?\d{16,}/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
