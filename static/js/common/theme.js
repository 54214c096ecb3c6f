// Runs before the first paint: marks that scripts run and applies the saved theme.
(() => {
  "use strict";
  const KEY = "gradlens.theme";
  const root = document.documentElement;
  root.classList.add("js");

  /** The theme of an earlier visit; null if there is none or storage is unavailable. */
  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const choice = kept();
  if (choice === "light" || choice === "dark") root.dataset.theme = choice;

  const isDark = () =>
    (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-theme-toggle]")) return;
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
    root.dispatchEvent(new Event("themechange"));
  });
})();
