import "./section-list.css";
import { useEffect, useState } from "react";

interface Section {
  id: string;
  label: string;
}

/** Table of contents of a long form: stays in view, and marks the section that is read. */
export function SectionList({ sections }: { sections: readonly Section[] }) {
  const current = useCurrent(sections);
  return (
    <nav className="section-list" aria-label="Sections of the flow">
      {sections.map(({ id, label }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? "true" : undefined}
          onClick={(event) => {
            event.preventDefault();
            document.getElementById(id)?.scrollIntoView({ block: "start" });
          }}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

/** Returns the first section whose place is in the upper part of the window. */
function useCurrent(sections: readonly Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    const seen = new Map<string, boolean>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) seen.set(target.id, isIntersecting);
        const first = sections.find(({ id }) => seen.get(id));
        if (first) setCurrent(first.id);
      },
      { rootMargin: "-130px 0px -55% 0px" },
    );
    for (const { id } of sections) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [sections]);
  return current;
}
