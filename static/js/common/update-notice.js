/** Detection of a server update while the page is open: results of two versions may differ in the last digit. */

/** The version of the server that delivered this page; "" if unknown. */
export const VERSION = document.documentElement.dataset.version ?? "";

/** Report the update, once, and offer to reload. @param {() => void} before called before the reload, to save state */
export function offerReload(before) {
  if (document.querySelector(".updated")) return;
  const line = Object.assign(document.createElement("section"), { className: "offer updated" });
  line.setAttribute("role", "status");
  const words = Object.assign(document.createElement("p"), { textContent: "Seegrad was updated while this page was open. Nothing is lost." });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: "Reload" });
  button.addEventListener("click", () => {
    before();
    location.reload();
  });
  line.append(words, button);
  document.body.append(line);
}
