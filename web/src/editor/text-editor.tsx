import { InputWrapper } from "@mantine/core";
import { lazy, Suspense, useId } from "react";
import { useReadOnly } from "#web/form/plain-fieldset.tsx";

const CodeMirrorBox = lazy(async () => ({ default: (await import("./code-mirror-box.tsx")).CodeMirrorBox }));

/** What an editor is given. */
export interface TextEditorProps {
  label: string;
  description?: string;
  error?: string | null;
  value?: string;
  onChange?: (value: string) => void;
  /** `template` colours {{variables}}, `json` colours JSON. */
  language: "template" | "json" | "plain";
  /** Variables that exist; others in the text are marked. */
  variables?: string[];
  isReadOnly?: boolean;
  minHeight?: number;
}

/** An editor for prompts and JSON; its code is loaded when the first one is shown. */
export function TextEditor(props: TextEditorProps) {
  const { label, description, error, value = "", minHeight = 180, isReadOnly = false } = props;
  const isAllReadOnly = useReadOnly();
  const id = useId();
  return (
    <InputWrapper label={label} labelElement="div" labelProps={{ id }} description={description} error={error}>
      <Suspense
        fallback={
          <pre className="editor editor-waiting" style={{ minHeight }}>
            {value}
          </pre>
        }
      >
        <CodeMirrorBox {...props} isReadOnly={isReadOnly || isAllReadOnly} labelId={id} />
      </Suspense>
    </InputWrapper>
  );
}
