/** The address of the style sheet of docked pages, beside this script's own. */
export const SHEET = new URL("../../css/dock.css", import.meta.url).href;
