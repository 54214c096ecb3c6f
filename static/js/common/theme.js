// Runs before the first paint: marks that scripts work and applies the colours chosen last time.
(() => {
  "use strict";
  const KEY = "gradlens.theme";
  const root = document.documentElement;
  root.classList.add("js");

  /** The choice kept from an earlier visit; storage may be refused, then there is none. */
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
      // The choice then lasts as long as the page.
    }
    root.dispatchEvent(new Event("themechange"));
  });
})();
