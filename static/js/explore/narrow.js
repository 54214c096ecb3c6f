/** Whether the page uses the one-column layout; same breakpoint as in `explore.css`. */
export const isNarrow = () => matchMedia("(max-width: 900px)").matches;
