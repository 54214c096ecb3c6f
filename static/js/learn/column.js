/** The choice between the picture beside the text and pictures in it, for whom moving columns tire. Kept in this browser. */

const KEY = "seegrad.lesson-column";

/** @param {HTMLElement} main of a lesson @param {() => void} onTurn called when the reader has chosen */
export function offerColumn(main, onTurn) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "column-switch" });
  const show = (/** @type {boolean} */ isOne) => {
    main.classList.toggle("one-column", isOne);
    button.textContent = isOne ? "Picture beside the text" : "Pictures in the text";
  };
  button.addEventListener("click", () => {
    const isOne = !main.classList.contains("one-column");
    show(isOne);
    keep(isOne);
    onTurn();
  });
  show(kept());
  main.querySelector(".lesson-text > header")?.append(button);
}

function kept() {
  try {
    return localStorage.getItem(KEY) === "one";
  } catch {
    return false; // no storage
  }
}

/** @param {boolean} isOne */
function keep(isOne) {
  try {
    if (isOne) localStorage.setItem(KEY, "one");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
