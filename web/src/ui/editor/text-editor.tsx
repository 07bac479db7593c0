import { InputWrapper } from "@mantine/core";
import { lazy, Suspense, useId } from "react";
import { useReadOnly } from "#web/ui/form/plain-fieldset.tsx";
import type { TextEditorProps } from "./text-editor-props.ts";

const CodeMirrorBox = lazy(async () => ({ default: (await import("./code-mirror-box.tsx")).CodeMirrorBox }));

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
