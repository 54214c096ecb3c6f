/** Lines that are brought into order by dragging, or by the arrow keys on their grips; the numbers beside them follow. */

/** @param {HTMLFormElement} form */
export function offerDragging(form) {
  const fields = form.querySelector(".fields");
  if (form.dataset.kind !== "order" || !fields) return;
  const end = Object.assign(document.createElement("p"), { className: "order-end", textContent: "Below this line: what does not belong." });
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (fields.querySelectorAll("label"))) row.prepend(grip(row, fields, end));
  fields.append(end);
}

/** @param {HTMLElement} row @param {Element} fields @param {HTMLElement} end */
function grip(row, fields, end) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "grip", textContent: "⠿" });
  button.setAttribute("aria-label", `Move ${row.querySelector("code")?.textContent ?? "this line"}: arrow keys up and down`);
  button.addEventListener("click", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    const other = event.key === "ArrowUp" ? row.previousElementSibling : event.key === "ArrowDown" ? row.nextElementSibling : null;
    if (!other) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "ArrowUp") other.before(row);
    else other.after(row);
    button.focus();
    number(fields, end);
  });
  button.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    drag(row, fields, () => number(fields, end));
  });
  return button;
}

/** Let a row follow the pointer until it is released. An element that is moved loses the pointer, so the window is listened to.
 * @param {HTMLElement} row @param {Element} fields @param {() => void} onEnd */
function drag(row, fields, onEnd) {
  const released = new AbortController();
  const { signal } = released;
  row.classList.add("dragged");
  window.addEventListener("pointermove", (event) => move(row, fields, event.clientY), { signal });
  for (const name of ["pointerup", "pointercancel"]) {
    window.addEventListener(name, () => {
      released.abort();
      row.classList.remove("dragged");
      onEnd();
    }, { signal });
  }
}

/** @param {HTMLElement} row @param {Element} fields @param {number} y of the pointer */
function move(row, fields, y) {
  for (const other of fields.children) {
    const { top, height } = other.getBoundingClientRect();
    if (other === row || y < top || y > top + height) continue;
    const isBefore = other.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isBefore && y < top + height / 2) other.before(row);
    else if (!isBefore && y > top + height / 2) other.after(row);
    return;
  }
}

/** Give each line its place; none to those below the end. @param {Element} fields @param {Element} end */
function number(fields, end) {
  const rows = [...fields.children];
  for (const [place, row] of rows.entries()) {
    const input = row.querySelector("input");
    if (input) input.value = place < rows.indexOf(end) ? String(place + 1) : "";
  }
}
