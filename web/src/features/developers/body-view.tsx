import { useMemo } from "react";
import { JsonText } from "#web/api/exact-json.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { JsonView } from "#web/ui/json-view.tsx";

const LONGEST_PARSED = 500_000;

/** A body as coloured JSON, or as plain text when it is not JSON. */
export function BodyView({ body, label, maxHeight = 480 }: { body: string; label: string; maxHeight?: number }) {
  const json = useMemo(() => (isJsonText(body) ? new JsonText(body) : undefined), [body]);
  return json === undefined ? (
    <CodeBlock text={body} label={label} maxHeight={maxHeight} />
  ) : (
    <JsonView value={json} label={label} maxHeight={maxHeight} />
  );
}

function isJsonText(text: string): boolean {
  if (text.length > LONGEST_PARSED) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
