// Unpacks the texts of a cell's page, and starts its script: the trace, the explanations, and the modules, compressed.
(async () => {
  const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const bytes = Uint8Array.from(atob(at("packed").textContent ?? ""), (letter) => letter.charCodeAt(0));
  const opened = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const [trace, steps, templates, code, style] = JSON.parse(await new Response(opened).text());
  at("style").after(Object.assign(document.createElement("style"), { textContent: style }));
  at("trace").textContent = trace;
  at("picture-steps").textContent = steps;
  at("result").innerHTML = templates;
  document.documentElement.classList.add("js");
  document.body.append(Object.assign(document.createElement("script"), { type: "module", textContent: code }));
})();
