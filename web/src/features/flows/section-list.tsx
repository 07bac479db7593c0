import { useEffect, useRef, useState } from "react";
import "./section-list.css";
import { t } from "#web/i18n/t.ts";
import { ScrollStrip } from "#web/ui/scroll-strip.tsx";

interface Section {
  id: string;
  label: string;
}

/** Table of contents of a long form: stays in view, and marks the section that is read. */
export function SectionList({ sections }: { sections: readonly Section[] }) {
  const { current, choose } = useCurrent(sections);
  return (
    <nav className="section-list" aria-label={t`Sections of the flow`}>
      <ScrollStrip chosen={current}>
        <div className="section-links">
          {sections.map(({ id, label }) => (
            <a
              key={id}
              href={`#${id}`}
              aria-current={id === current ? "true" : undefined}
              onClick={(event) => {
                event.preventDefault();
                choose(id);
              }}
            >
              {label}
            </a>
          ))}
        </div>
      </ScrollStrip>
    </nav>
  );
}

/** Pixels from the top of the window at which a section counts as read: below the header and this list. */
const READ_FROM = 140;

/** Returns the section that is read, and a function that scrolls to one. */
function useCurrent(sections: readonly Section[]): { current: string | undefined; choose: (id: string) => void } {
  const [current, setCurrent] = useState(sections[0]?.id);
  // A short section near the page's end cannot be scrolled to the line, so the chosen one counts until the page moves on.
  const chosen = useRef<{ id: string; y: number } | null>(null);
  useEffect(() => {
    const find = () => {
      if (chosen.current && Math.abs(window.scrollY - chosen.current.y) < 2) return setCurrent(chosen.current.id);
      chosen.current = null;
      setCurrent(findRead(sections));
    };
    find();
    window.addEventListener("scroll", find, { passive: true });
    return () => window.removeEventListener("scroll", find);
  }, [sections]);
  const choose = (id: string) => {
    document.getElementById(id)?.scrollIntoView({ block: "start", behavior: "instant" });
    chosen.current = { id, y: window.scrollY };
    setCurrent(id);
  };
  return { current, choose };
}

/** Returns the last section that begins above the line, or the last of all at the page's end. */
function findRead(sections: readonly Section[]): string | undefined {
  const { scrollHeight } = document.documentElement;
  const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - 4;
  const begun = sections.filter(
    ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= READ_FROM,
  );
  return (isAtEnd ? sections.at(-1) : (begun.at(-1) ?? sections[0]))?.id;
}
