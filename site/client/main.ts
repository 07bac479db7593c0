import "./style.css";
import { addCopyButtons } from "./copy-buttons.ts";
import { followHeadings } from "./headings.ts";
import { startSearch } from "./search-dialog.ts";
import { startThemeSwitch } from "./theme-switch.ts";

startThemeSwitch();
startSearch();
addCopyButtons();
followHeadings();
document.querySelector("nav.pages [aria-current]")?.scrollIntoView({ block: "nearest" });
