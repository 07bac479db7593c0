import { useEffect, useState } from "react";
import "./section-list.css";
import { t } from "#web/i18n/t.ts";

interface Section {
  id: string;
  label: string;
}

/** Table of contents of a long form: stays in view, and marks the section that is read. */
export function SectionList({ sections }: { sections: readonly Section[] }) {
  const current = useCurrent(sections);
  return (
    <nav className="section-list" aria-label={t`Sections of the flow`}>
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

/** Pixels from the top of the window at which a section counts as read: below the header and this list. */
const READ_FROM = 140;

/** Returns the section that is read: the last one that begins above the line, or the last of all at the page's end. */
function useCurrent(sections: readonly Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    const find = () => {
      const { scrollHeight } = document.documentElement;
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - 4;
      const begun = sections.filter(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= READ_FROM,
      );
      setCurrent((isAtEnd ? sections.at(-1) : (begun.at(-1) ?? sections[0]))?.id);
    };
    find();
    window.addEventListener("scroll", find, { passive: true });
    return () => window.removeEventListener("scroll", find);
  }, [sections]);
  return current;
}
