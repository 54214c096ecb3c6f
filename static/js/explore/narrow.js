/** Whether the page is so narrow that its parts stand below each other; `explore.css` changes at the same width. */
export const isNarrow = () => matchMedia("(max-width: 900px)").matches;
