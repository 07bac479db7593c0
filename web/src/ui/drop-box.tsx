import "./drop-box.css";
import { Text } from "@mantine/core";
import { useState } from "react";
import { Icon } from "./icon.tsx";

/** A place to drop files on, or to choose them with a click or a key. */
export function DropBox(props: {
  label: string;
  hint: string;
  /** Such as `.csv,audio/*`. */
  accept?: string;
  isMany?: boolean;
  onFiles: (files: File[]) => void;
}) {
  const { label, hint, accept, isMany = false, onFiles } = props;
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(isMany ? files : files.slice(0, 1));
  };
  return (
    <label className="drop-box" data-over={isOver || undefined}>
      <input
        type="file"
        multiple={isMany}
        {...(accept ? { accept } : {})}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = "";
        }}
      />
      <Icon name="upload" size={20} />
      <Text component="span" display="block" fz="sm" fw={550} mt={4}>
        {label}
      </Text>
      <Text component="span" display="block" fz="xs" c="dimmed">
        {hint}
      </Text>
    </label>
  );
}
