import type { Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { t } from "#web/i18n/t.ts";

const VARIABLE = /\{\{-?\s*([A-Za-z_][\w.]*)[^}]*\}\}|\{%[^%]*%\}/g;
const known = Decoration.mark({ class: "variable" });
const unknown = Decoration.mark({
  class: "variable variable-unknown",
  attributes: { title: t`Nothing fills this variable` },
});
const statement = Decoration.mark({ class: "variable-statement" });

/** Colours `{{variables}}` and `{% statements %}`; with a list, marks variables that are not in it. */
export function colourVariables(names?: string[]): Extension {
  const matcher = new MatchDecorator({
    regexp: VARIABLE,
    decoration(match) {
      const name = match[1]?.split(".")[0];
      if (name === undefined) return statement;
      return names === undefined || names.includes(name) ? known : unknown;
    },
  });
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = matcher.createDeco(view);
      }
      update(update: ViewUpdate): void {
        this.decorations = matcher.updateDeco(update, this.decorations);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}
