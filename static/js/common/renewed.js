/** A page that is older than the server it asks: what it shows and what it would get may differ in the last digit. */

/** The version that this page came with; "" where the server does not say. */
export const VERSION = document.documentElement.dataset.version ?? "";

/** Say so, once, and offer to load the page anew. @param {() => void} before what is to be kept first */
export function offerReload(before) {
  if (document.querySelector(".renewed")) return;
  const line = Object.assign(document.createElement("section"), { className: "offer renewed" });
  line.setAttribute("role", "status");
  const words = Object.assign(document.createElement("p"), { textContent: "Gradlens was renewed while this page was open. Nothing is lost." });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: "Reload" });
  button.addEventListener("click", () => {
    before();
    location.reload();
  });
  line.append(words, button);
  document.body.append(line);
}
