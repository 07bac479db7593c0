/** Props of a text editor. */
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
