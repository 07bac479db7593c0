import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import type { TextEditorProps } from "./text-editor-props.ts";
import { colourVariables } from "./variables.ts";

const jsonColours = HighlightStyle.define([
  { tag: tags.propertyName, class: "tok-key" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
  { tag: [tags.bool, tags.null], class: "tok-word" },
]);

/** The editor itself. */
export function CodeMirrorBox(props: TextEditorProps & { labelId: string }) {
  const { value = "", minHeight = 180 } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const shape = `${props.language} ${String(props.isReadOnly)} ${props.variables?.join() ?? ""} ${props.labelId}`;
  useEffect(() => {
    if (!box.current) return;
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: latest.current.value ?? "",
        extensions: extensionsFor(latest.current, (text) => latest.current.onChange?.(text)),
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [shape]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={box} className="editor" style={{ minHeight }} />;
}

function extensionsFor(props: TextEditorProps & { labelId: string }, onChange: (text: string) => void): Extension[] {
  const byLanguage: Record<TextEditorProps["language"], Extension[]> = {
    json: [lineNumbers(), json(), syntaxHighlighting(jsonColours), bracketMatching()],
    template: [colourVariables(props.variables)],
    plain: [],
  };
  return [
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorState.readOnly.of(props.isReadOnly ?? false),
    EditorView.contentAttributes.of({
      "aria-labelledby": props.labelId,
      // A scrollable box must be reachable by keyboard; some checkers do not count an editable element.
      tabindex: "0",
      spellcheck: String(props.language === "template"),
    }),
    EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
    ...byLanguage[props.language],
  ];
}
