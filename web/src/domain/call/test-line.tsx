import { Code, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { Words } from "#web/ui/words.tsx";
import { readToolCall } from "./call.ts";

const NAMES: Record<string, string> = { ASSISTANT: t`Agent`, USER: t`Customer`, AGENT: t`Operator`, SYSTEM: t`System` };
const LONGEST_BRIEF = 60;

/** A line of a test: the speaker and the text, or a tool call; `children` is shown below it. */
export function TestLine({ speaker, content, children }: { speaker: string; content: string; children?: ReactNode }) {
  const tool = readToolCall({ role: speaker, content });
  return (
    <div className={`bubble-row bubble-${speaker.toLowerCase()}`}>
      {tool ? (
        <ToolUse name={tool.name} input={tool.input} result={tool.result} />
      ) : (
        <div className="bubble">
          <span className="bubble-who">{NAMES[speaker] ?? t`Tool`}</span>
          <Words>{content}</Words>
        </div>
      )}
      {children}
    </div>
  );
}

function ToolUse({ name, input, result }: { name: string; input: unknown; result: unknown }) {
  const [isOpen, setOpen] = useState(false);
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  return (
    <div className="tool-use">
      <UnstyledButton className="tool-line" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        <Icon name="tool" size={14} />
        <span className="tool-name">{name}</span>
        <Code className="tool-brief">{text.length > LONGEST_BRIEF ? `${text.slice(0, LONGEST_BRIEF)}…` : text}</Code>
        <Icon name={isOpen ? "up" : "down"} size={12} />
      </UnstyledButton>
      {isOpen && (
        <div className="tool-detail">
          <JsonView value={input} label={t`Request of ${name}`} maxHeight={200} />
          <JsonView value={result} label={t`Response of ${name}`} maxHeight={200} />
        </div>
      )}
    </div>
  );
}
