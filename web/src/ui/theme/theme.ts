import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { t } from "#web/i18n/t.ts";

// Arial comes before system-ui, because on a Linux desktop Arial is Liberation Sans, and system-ui is often much wider.
const SYSTEM_FONT =
  'Inter, "Inter Variable", -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, system-ui, sans-serif';
const MONO_FONT = 'ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, "Liberation Mono", monospace';

const parley: MantineColorsTuple = [
  "#eef0ff",
  "#dfe2ff",
  "#c0c6fd",
  "#9ea6fa",
  "#8088f6",
  "#6c70f1",
  "#5b58e6",
  "#4b45d1",
  "#4038b4",
  "#342e90",
];

const dark: MantineColorsTuple = [
  "#d7d9e0",
  "#b3b7c4",
  "#9498a8",
  "#6a6f80",
  "#3c4050",
  "#2b2e3b",
  "#1e212b",
  "#16181f",
  "#101218",
  "#0b0c11",
];

/** Shades for contrast: Mantine's green and orange fail 4.5:1 on their own tint; these pass. */
const green: MantineColorsTuple = [
  "#e8f8ee",
  "#d2f0dd",
  "#a6e0bc",
  "#76cf98",
  "#4fc07b",
  "#36b066",
  "#259554",
  "#177a42",
  "#10653a",
  "#0a4d2b",
];

const orange: MantineColorsTuple = [
  "#fff3e4",
  "#ffe5c8",
  "#fcc98f",
  "#f8ab53",
  "#f19325",
  "#de7e0d",
  "#bd6704",
  "#9b5203",
  "#7f4303",
  "#633303",
];

/** Shades of yellow and red for the same contrast; red must also carry white text. */
const yellow: MantineColorsTuple = [
  "#fff8db",
  "#fff0b8",
  "#fde28a",
  "#f8d052",
  "#f0bd25",
  "#dba70b",
  "#b58807",
  "#8f6b05",
  "#725504",
  "#5a4303",
];

const red: MantineColorsTuple = [
  "#fff0f0",
  "#ffdfdf",
  "#ffbdbd",
  "#fb9494",
  "#f46c6c",
  "#ea4a4a",
  "#dc3535",
  "#c22727",
  "#a11e1e",
  "#7f1717",
];

/** Theme of the dashboard; the colours meet WCAG 2.2 AA in both schemes. */
export const theme = createTheme({
  primaryColor: "parley",
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  // Without it a dialog of someone who wants no motion still comes and goes over 200 ms, unseen and in the way.
  respectReducedMotion: true,
  colors: { parley, dark, green, orange, yellow, red },
  fontFamily: SYSTEM_FONT,
  fontFamilyMonospace: MONO_FONT,
  defaultRadius: "md",
  cursorType: "pointer",
  headings: { fontFamily: SYSTEM_FONT, fontWeight: "620" },
  fontSizes: { xs: "0.75rem", sm: "0.84375rem", md: "0.9375rem" },
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250 } },
    // Beside another drawer, a header would be one more banner of the page.
    Drawer: {
      defaultProps: {
        closeButtonProps: { "aria-label": t`Close` },
        attributes: { header: { role: "presentation" } },
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { "aria-label": t`Close` },
        overlayProps: { backgroundOpacity: 0.5 },
      },
    },
    Notification: {
      defaultProps: { closeButtonProps: { "aria-label": t`Dismiss` } },
      // Beside a title, Mantine would show the description in a grey that is too light.
      styles: { description: { color: "var(--mantine-color-text)" } },
    },
    Button: { defaultProps: { size: "sm" } },
    Table: { defaultProps: { verticalSpacing: 9, horizontalSpacing: "sm" } },
    Paper: { defaultProps: { radius: "md" } },
  },
});

const TINTED = "parley green orange red yellow blue teal grape gray cyan".split(" ");

/** Colours of text on tints, in outlines and dimmed, with contrasts that Mantine's defaults miss. */
export const resolveVariables: CSSVariablesResolver = () => {
  const light: Record<string, string> = {
    "--mantine-color-dimmed": "#565b6b",
    "--mantine-color-placeholder": "#6a7082",
    "--mantine-color-body": "#ffffff",
    "--parley-canvas": "#f7f7fa",
    "--parley-line": "#e4e5ec",
    "--parley-hover": "#f2f2f7",
    "--parley-agent": "#4b45d1",
    "--parley-customer": "#0c737d",
  };
  const shade: Record<string, string> = {
    "--mantine-color-dimmed": "#a2a7b8",
    "--mantine-color-placeholder": "#8d92a3",
    "--mantine-color-body": "#16181f",
    "--parley-canvas": "#101218",
    "--parley-line": "#2a2d39",
    "--parley-hover": "#1e212b",
    "--parley-agent": "#9ea6fa",
    "--parley-customer": "#5fd0d6",
  };
  for (const color of TINTED) {
    light[`--mantine-color-${color}-light-color`] = `var(--mantine-color-${color}-9)`;
    light[`--mantine-color-${color}-outline`] = `var(--mantine-color-${color}-9)`;
    light[`--mantine-color-${color}-text`] = `var(--mantine-color-${color}-9)`;
    shade[`--mantine-color-${color}-light-color`] = `var(--mantine-color-${color}-2)`;
    shade[`--mantine-color-${color}-outline`] = `var(--mantine-color-${color}-3)`;
    shade[`--mantine-color-${color}-text`] = `var(--mantine-color-${color}-3)`;
  }
  light["--mantine-color-error"] = "var(--mantine-color-red-7)";
  shade["--mantine-color-error"] = "var(--mantine-color-red-3)";
  light["--mantine-color-anchor"] = "var(--mantine-color-parley-7)";
  shade["--mantine-color-anchor"] = "var(--mantine-color-parley-3)";
  return { variables: {}, light, dark: shade };
};
