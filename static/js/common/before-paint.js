// Runs before the first paint and before all modules: moves what is kept under the keys of the project's former name,
// marks that scripts run and applies the saved theme.
(() => {
  "use strict";
  const NAME = "seegrad";
  const FORMER_NAME = "gradlens";
  const KEY = `${NAME}.theme`;

  /** Move the entries of a storage from their former keys, once. What has been written under a new key stays. */
  const moveFormerKeys = (/** @type {Storage} */ storage) => {
    for (const former of Object.keys(storage).filter((key) => new RegExp(`^${FORMER_NAME}[.-]`).test(key))) {
      const key = NAME + former.slice(FORMER_NAME.length);
      const text = storage.getItem(former);
      storage.removeItem(former); // first: a full storage has no room for both
      if (text !== null && storage.getItem(key) === null) storage.setItem(key, text);
    }
  };
  try {
    moveFormerKeys(localStorage);
    moveFormerKeys(sessionStorage);
  } catch {
    // Without storage, there is nothing to move.
  }

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
