/** The play and pause button. */

/** @param {HTMLElement} button @param {boolean} playing */
export function showPlaying(button, playing) {
  const words = playing ? "Pause" : "Play";
  button.classList.toggle("playing", playing);
  const word = button.querySelector("[data-word]");
  if (word) word.textContent = words;
  button.setAttribute("aria-label", words);
}
