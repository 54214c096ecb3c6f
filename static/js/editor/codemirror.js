/** CodeMirror, from the one place that names its version. `scripts/bundle.py` makes the bundle. */
import "../../vendor/codemirror-6.43.15.shared.min.js"; // named, to be requested at once
export * from "../../vendor/codemirror-6.43.15.core.min.js";

/** What is needed only once somebody works in the editor: completion, closing brackets, search. */
export const more = () => import("../../vendor/codemirror-6.43.15.more.min.js");
