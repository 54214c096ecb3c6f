/** The words of the language with a line of help each, from the server's tables, and those of the program itself. */
import { syntaxTree } from "./codemirror.js";

/**
 * @typedef {{name: string, call?: string, help: string, kind?: string}} Word
 * @typedef {{names: Word[], modules: Record<string, Word[]>, members: Record<string, Word[]>,
 *   libraries: Record<string, string>}} Words  libraries: modules that are known without an import
 */

const NONE = { names: [], modules: {}, members: {}, libraries: {} };

/** The table of the server, requested when it is first needed. */
export class Table {
  /** @param {string} address */
  constructor(address) {
    this.address = address;
    /** @type {Promise<Words> | null} */ this.answer = null;
  }

  /** @returns {Promise<Words>} */
  words() {
    this.answer ??= fetch(this.address).then((response) => (response.ok ? response.json() : Promise.reject(response.status))).catch(() => {
      this.answer = null; // asked again the next time
      return NONE;
    });
    return this.answer;
  }
}

const ASSIGNED = /^\s*(\w+)\s*(?::[^=]+)?=\s*(.+)$/;
const KINDS = /** @type {[RegExp, string][]} */ ([
  [/^[fFrRbB]*["']/, "str"], [/^\[/, "list"], [/^\{\s*\}|^\{[^{}:]*:|^dict\(/, "dict"], [/^\{|^set\(/, "set"], [/^list\(|^sorted\(/, "list"],
  [/^str\(/, "str"], [/^\((?!.*\)\s*[-+*/.])[^()]*,/, "tuple"], [/^-?\d[\d_]*$/, "int"], [/^-?[\d_]*\.?\d+(e[-+]?\d+)?$/i, "float"],
  [/^range\(/, "range"], [/^(np|numpy)\.(array|zeros|ones|arange|linspace|full|eye)\(/, "numpy.ndarray"], [/^torch\.(tensor|Tensor|zeros|ones|randn|rand|arange|full|eye)\(/, "torch.Tensor"],
]);

/** The program's own names, with the line that defines each. */
export class Program {
  /** @param {any} state */
  constructor(state) {
    this.state = state;
    /** @type {string[]} */ this.lines = state.doc.toString().split("\n");
  }

  /** Names that the program defines, except the one at `at`. @param {number} at @returns {Word[]} */
  names(at) {
    const found = /** @type {Map<string, Word>} */ (new Map());
    syntaxTree(this.state).iterate({
      enter: (/** @type {any} */ node) => {
        if (node.name !== "VariableName" || (node.from <= at && at <= node.to)) return;
        const name = this.state.sliceDoc(node.from, node.to);
        if (!found.has(name) && defines(node.node)) found.set(name, { name, ...this.#about(node) });
      },
    });
    return [...found.values()];
  }

  /** @param {any} node */
  #about({ from, node }) {
    const line = this.state.doc.lineAt(from);
    const parent = node.parent?.name ?? "";
    const kind = parent === "ClassDefinition" ? "class" : parent === "FunctionDefinition" ? "function" : "variable";
    return { kind, help: `line ${line.number}: ${line.text.trim()}` };
  }

  /** Methods and attributes of a class of the program; of all its classes, for an empty name. @param {string} name @returns {Word[]} */
  members(name) {
    const found = /** @type {Map<string, Word>} */ (new Map());
    let inside = "";
    this.lines.forEach((text, at) => {
      const opened = text.match(/^class\s+(\w+)/);
      if (opened) [, inside] = opened;
      else if (/^[^\s#)\]}@]/.test(text)) inside = "";
      if (!inside || (name && inside !== name)) return;
      const method = text.match(/^\s+def\s+(\w+)\s*(\([^)]*\)?)/);
      const help = `line ${at + 1}: ${text.trim()}`;
      if (method && !found.has(method[1])) found.set(method[1], { name: method[1], kind: "method", help });
      for (const [, attribute] of text.matchAll(/\bself\.(\w+)\s*(?:,[^=]*)?=(?!=)/g)) {
        if (!found.has(attribute)) found.set(attribute, { name: attribute, kind: "attribute", help });
      }
    });
    return [...found.values()];
  }

  /** Whether the program defines a class. @param {string} name */
  hasClass(name) {
    return this.lines.some((text) => text.match(/^\s*class\s+(\w+)/)?.[1] === name);
  }

  /** The dotted name of the module that a name stands for. @param {string} name @param {Words} words @returns {string | null} */
  module(name, words) {
    for (const text of this.lines) {
      const whole = text.match(/^\s*import\s+(.+)$/)?.[1].split(",") ?? [];
      for (const part of whole) {
        const [, path, alias] = part.match(/^\s*([\w.]+)(?:\s+as\s+(\w+))?/) ?? [];
        if (path && (alias ?? path) === name) return path;
      }
      const [, from, names] = text.match(/^\s*from\s+([\w.]+)\s+import\s+(.+)$/) ?? [];
      for (const part of names?.split(",") ?? []) {
        const [, imported, alias] = part.match(/^\s*\(?(\w+)(?:\s+as\s+(\w+))?/) ?? [];
        if (imported && (alias ?? imported) === name && words.modules[`${from}.${imported}`]) return `${from}.${imported}`;
      }
    }
    return null;
  }

  /** What `.` may reach after an expression. @param {string} expression @param {number} line in which it stands
   * @param {Words} words @returns {Word[]} */
  reach(expression, line, words) {
    const path = this.#modulePath(expression, words);
    if (path) return [...words.modules[path], ...submodules(path, words)];
    const kind = this.#kind(expression, line, words, 0);
    if (kind && this.hasClass(kind)) return this.members(kind);
    if (kind && words.members[kind]) return words.members[kind];
    const own = this.members("");
    const known = new Set(own.map(({ name }) => name));
    return [...own, ...(own.length ? [] : words.members.Value ?? []), ...rest(words)].filter(({ name }, at) => at < own.length || !known.has(name));
  }

  /** @param {string} expression @param {Words} words @returns {string | null} */
  #modulePath(expression, words) {
    const [first, ...others] = expression.split(".");
    const known = words.libraries[first] ?? first;
    const base = this.module(first, words) ?? (words.modules[known] && this.#assigned(first, this.lines.length) === null ? known : null);
    const path = base && [base, ...others].join(".");
    return path && words.modules[path] ? path : null;
  }

  /** @param {string} expression @param {number} line @param {Words} words @param {number} depth @returns {string | null} */
  #kind(expression, line, words, depth) {
    if (expression === "self") return this.#classAround(line);
    for (const [pattern, kind] of KINDS) if (pattern.test(expression)) return kind;
    const [, called] = expression.match(/^(?:\w+\.)*(\w+)\(/) ?? [];
    if (called && (this.hasClass(called) || words.members[called])) return called;
    const value = /^\w+$/.test(expression) && depth < 3 ? this.#assigned(expression, line) : null;
    return value === null ? null : this.#kind(value, line, words, depth + 1);
  }

  /** @param {number} line @returns {string | null} */
  #classAround(line) {
    for (let at = line - 1; at >= 0; at -= 1) {
      const opened = this.lines[at]?.match(/^class\s+(\w+)/);
      if (opened) return opened[1];
    }
    return null;
  }

  /** The text last assigned to a name above a line. @param {string} name @param {number} line @returns {string | null} */
  #assigned(name, line) {
    for (let at = Math.min(line, this.lines.length) - 1; at >= 0; at -= 1) {
      const found = this.lines[at].match(ASSIGNED);
      if (found?.[1] === name) return found[2].trim();
    }
    return null;
  }
}

/** @param {any} node */
function defines(node) {
  const { parent } = node;
  if (!parent) return false;
  if (["ClassDefinition", "FunctionDefinition", "ParamList", "ImportStatement"].includes(parent.name)) return true;
  if (parent.name === "ForStatement" || parent.name === "AssignStatement") {
    const sign = parent.getChild(parent.name === "ForStatement" ? "in" : "AssignOp");
    return sign === null || node.to <= sign.from;
  }
  return ["TupleExpression", "NamedExpression", "AsPattern", "WithStatement"].includes(parent.name) && parent.parent?.name !== "ArgList";
}

/** @param {string} path @param {Words} words @returns {Word[]} */
function submodules(path, words) {
  const inside = Object.keys(words.modules).filter((name) => name.startsWith(`${path}.`) && !name.slice(path.length + 1).includes("."));
  return inside.map((name) => ({ name: name.slice(path.length + 1), kind: "module", help: `module ${name}` }));
}

/** The members of the common kinds, for an expression whose kind is unknown. @param {Words} words @returns {Word[]} */
const rest = (words) => [...new Map(["list", "str", "dict"].flatMap((kind) => words.members[kind] ?? []).map((word) => [word.name, word])).values()];
