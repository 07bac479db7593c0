/**
 * Widths in em from which a layout counts as wider; all but `laptop` are Mantine's own. Style sheets name the range
 * below one as `@media (--below-sm)`, so that no width lies between a style sheet and a component.
 */
export const BREAKPOINTS = { xs: 36, sm: 48, md: 62, lg: 75, laptop: 84 } as const;

const NAMED = /\(--below-([a-z]+)\)/g;

/** Replaces each `(--below-NAME)` of a style sheet by the media query behind Mantine's `visibleFrom`. */
export function resolveBreakpoints(css: string): string {
  return css.replace(NAMED, (found, name: string) => {
    const width = (BREAKPOINTS as Record<string, number>)[name];
    if (width === undefined) throw new Error(`${found} names no breakpoint.`);
    return `(max-width: ${width - 0.01}em)`;
  });
}
