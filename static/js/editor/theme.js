/** The looks of the editor. Its style sheets are constructed ones in a shadow root, which the policy allows; colours are
 * the page's custom properties, so that dark mode needs nothing here. */
import { EditorView, HighlightStyle, syntaxHighlighting, tags } from "./codemirror.js";

const wavy = (/** @type {string} */ colour) => ({
  textDecoration: `underline wavy ${colour}`, textDecorationSkipInk: "none", textUnderlineOffset: "3px", textDecorationThickness: "1px",
});

const small = { border: "1px solid var(--line)", borderRadius: "6px", background: "var(--raised)", color: "var(--ink)", font: "12px/1.4 var(--sans)" };

const looks = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", background: "transparent", font: "inherit" },
  "&.cm-focused": { outline: "0" },
  ".cm-scroller": { font: "inherit", lineHeight: "var(--row)", overflow: "auto", containerType: "inline-size", scrollbarWidth: "thin", scrollbarColor: "var(--line-strong) transparent" },
  ".cm-content": { padding: "7px 0 var(--message)", whiteSpace: "var(--wrap, pre)", overflowWrap: "var(--break, normal)", flexShrink: "1", caretColor: "var(--ink)", tabSize: "4" },
  ".cm-line": { padding: "0 10px 0 4px" },
  ".cm-cursor, .cm-dropCursor": { borderLeft: "2px solid var(--ink)", marginLeft: "-1px" },
  "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "var(--line-strong)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "color-mix(in srgb, var(--data) 26%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { background: "var(--op-soft)", outline: "1px solid var(--op-line)" },
  "&.cm-focused .cm-nonmatchingBracket": { background: "var(--error-soft)" },
  ".cm-selectionMatch": { background: "var(--op-soft)" },

  ".cm-gutters": { minWidth: "var(--gutter)", justifyContent: "flex-end", border: "0", background: "var(--sunken)", color: "var(--mute)", userSelect: "none" },
  ".cm-gutter.cm-lineNumbers": { flex: "1", fontSize: ".92em" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "0", padding: "0 1px 0 2px" },
  ".cm-lineNumbers .cm-gutterElement.has-frames": { cursor: "pointer" },
  ".cm-lineNumbers .cm-gutterElement.has-frames:hover": { color: "var(--ink)", textDecoration: "underline" },
  ".cm-gutterElement.forward": { color: "var(--data)" },
  ".cm-gutterElement.backward": { color: "var(--grad)" },
  ".cm-gutterElement.chosen": { color: "var(--op)" },
  ".cm-marks .forward": { boxShadow: "inset 3px 0 var(--data)" },
  ".cm-marks .backward": { boxShadow: "inset 3px 0 var(--grad)" },
  ".cm-marks .cm-gutterElement.is-mistake": { background: "var(--error-soft)" },
  ".cm-gutter.cm-marks": { overflow: "visible" },
  ".cm-marks .is-mistake": { width: "var(--gutter)", boxShadow: "inset 3px 0 var(--error)" },
  ".cm-marks": { width: "13px" },
  ".cm-gutter.cm-marks:hover": { background: "var(--line)", cursor: "pointer" },
  ".cm-lineNumbers .cm-gutterElement.is-stop": { color: "var(--panel)", background: "var(--ink)", borderRadius: "4px" },
  ".cm-foldGutter": { width: "14px" },
  ".cm-marks .cm-gutterElement": { padding: "0 0 0 5px", fontWeight: "700" },
  ".cm-lineNumbers .is-bad": { color: "var(--error)", fontWeight: "700" },
  ".cm-marks .error, .cm-marks .mistake": { color: "var(--error)" },
  ".cm-marks .note": { color: "var(--op)" },
  ".cm-marks .cm-gutterElement > span": { cursor: "pointer" },
  ".cm-foldGutter .cm-gutterElement": { padding: "0", cursor: "pointer" },
  ".fold": { display: "block", position: "relative", width: "14px", height: "var(--row)" },
  ".fold::before": { content: "''", position: "absolute", left: "4px", top: "calc(50% - 4px)", width: "5px", height: "5px", border: "solid currentColor", borderWidth: "0 1.5px 1.5px 0", transform: "rotate(45deg)" },
  ".fold.closed::before": { transform: "rotate(-45deg)", left: "2px", top: "calc(50% - 3px)" },
  ".folded": { marginLeft: "8px", padding: "0 7px", border: "1px solid var(--line)", borderRadius: "9px", background: "var(--panel)", color: "var(--mute)", font: "11px/16px var(--sans)", cursor: "pointer", verticalAlign: "1px" },
  ".folded:hover": { color: "var(--ink)", borderColor: "var(--line-strong)" },

  // marks in the text
  "mark": { color: "inherit", padding: "2px 0", borderRadius: "3px", background: "var(--data-mid)" },
  "mark.backward": { background: "var(--grad-mid)" },
  "mark.callee": { background: "transparent", boxShadow: "inset 0 -2px var(--line-strong)" },
  "mark.pointed": { background: "transparent", boxShadow: "0 0 0 1.5px var(--op-line)" },
  "mark.chosen": { background: "var(--op-soft)", boxShadow: "0 0 0 1px var(--op-line)" },
  "mark.error, mark.mistake": { background: "var(--error-soft)", borderRadius: "0", padding: "0", ...wavy("var(--error)") },
  "mark.note": { background: "transparent", borderRadius: "0", padding: "0", ...wavy("var(--op)") },
  ".cm-line.mistake": { background: "var(--error-soft)" },
  ".values": { display: "inline-block", color: "var(--mute)", whiteSpace: "pre", userSelect: "none", pointerEvents: "none" },
  ".values .data": { color: "var(--data)" },
  ".values .grad": { color: "var(--grad)" },

  // a message below its line
  ".below": { display: "var(--below, block)", position: "sticky", boxSizing: "border-box", left: "var(--gutter)", width: "calc(100cqi - var(--gutter))", padding: "1px 10px 9px 4px", background: "var(--error-soft)", font: "13px/1.45 var(--sans)", whiteSpace: "normal", overflowWrap: "anywhere" },
  ".below.note": { background: "var(--op-soft)" },
  ".below .right": { display: "flex", gap: "9px", alignItems: "baseline", marginTop: "4px", padding: "3px 8px", border: "1px solid var(--leaf-line)", borderRadius: "6px", background: "var(--panel)", font: "12.5px/1.6 var(--mono)", whiteSpace: "pre-wrap" },
  ".below .right b": { flex: "none", color: "var(--leaf)", font: "600 12px/1.6 var(--sans)" },
  ".below .right ins": { textDecoration: "none", fontWeight: "700", color: "var(--leaf)", background: "var(--leaf-soft)", borderRadius: "3px" },

  // panels, tooltips
  ".cm-panels": { zIndex: "3", border: "0", background: "var(--panel)", color: "var(--ink)", font: "12.5px/1.5 var(--sans)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: "4px 5px", padding: "6px 30px 6px 8px", font: "12px/1.4 var(--sans)" },
  ".cm-panel.cm-search .cm-textfield, .cm-panel.cm-search .cm-button, .cm-panel.cm-search label": { margin: "0" },
  ".cm-panel.cm-search .cm-button": { padding: "1px 6px", fontSize: "11.5px" },
  ".cm-panel.cm-search br": { flexBasis: "100%", content: "''" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "3px", margin: "0", fontSize: "12px" },
  ".cm-panel.cm-search [name=close]": { position: "absolute", top: "6px", right: "6px", width: "24px", height: "24px", border: "0", background: "none", color: "var(--mute)", font: "16px/1 var(--sans)", cursor: "pointer" },
  ".cm-textfield": { ...small, flex: "1 1 84px", minWidth: "60px", width: "84px", minHeight: "26px", margin: "0", padding: "2px 7px", font: "12.5px/1.4 var(--mono)", background: "var(--sunken)" },
  ".cm-textfield:focus-visible, .cm-button:focus-visible, .problems:focus-visible, [name=close]:focus-visible": { outline: "2px solid var(--focus)", outlineOffset: "0" },
  ".cm-button": { ...small, minHeight: "26px", margin: "0", padding: "2px 8px", backgroundImage: "none", cursor: "pointer" },
  ".cm-button:hover": { borderColor: "var(--line-strong)" },
  ".cm-searchMatch": { background: "var(--notice-soft)", boxShadow: "0 0 0 1px var(--notice-line)" },
  ".cm-searchMatch-selected": { background: "var(--notice-line)" },
  ".problems": { maxHeight: "132px", overflow: "auto", margin: "0", padding: "4px", listStyle: "none" },
  ".problems li": { display: "flex", gap: "7px", padding: "3px 7px", borderRadius: "6px", cursor: "pointer" },
  ".problems li[aria-selected=true]": { background: "var(--data-soft)", boxShadow: "inset 0 0 0 1px var(--data-mid)" },
  ".problems b": { minWidth: "9px", color: "var(--error)" },
  ".problems .note b": { color: "var(--op)" },
  ".problems .place": { flex: "none", color: "var(--mute)" },
  ".cm-tooltip": { border: "1px solid var(--line)", borderRadius: "8px", background: "var(--raised)", color: "var(--ink)", boxShadow: "0 8px 24px var(--shadow)", font: "13px/1.45 var(--sans)", zIndex: "40" },
  ".cm-tooltip-hover": { maxWidth: "min(420px, 92vw)", padding: "6px 10px", overflowWrap: "anywhere" },
  ".cm-tooltip-hover code": { display: "block", font: "600 12.5px/1.5 var(--mono)" },
  ".cm-tooltip-hover p": { margin: "0" },
  ".cm-tooltip-hover p.error, .cm-tooltip-hover p.mistake": { color: "var(--error)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { maxWidth: "min(560px, 94vw)", maxHeight: "196px", padding: "4px", font: "12.5px/1.4 var(--mono)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { display: "flex", gap: "12px", alignItems: "baseline", padding: "3px 8px", borderRadius: "5px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--data-soft)", color: "var(--ink)", boxShadow: "inset 0 0 0 1px var(--data-mid)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--data)" },
  ".cm-completionLabel": { flex: "none" },
  ".help": { overflow: "hidden", color: "var(--mute)", font: "12px/1.4 var(--sans)", textOverflow: "ellipsis", whiteSpace: "nowrap" },

  "@media (forced-colors: active)": {
    "mark": { background: "Mark", color: "MarkText", forcedColorAdjust: "none" },
    "mark.error, mark.mistake, mark.note": { background: "Canvas", color: "CanvasText" },
    "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "Highlight !important", forcedColorAdjust: "none" },
    ".cm-cursor, .cm-dropCursor": { borderLeftColor: "CanvasText" },
    ".cm-gutterElement.forward, .cm-gutterElement.backward": { borderLeft: "3px solid CanvasText" },
    ".cm-tooltip-autocomplete ul li[aria-selected], .problems li[aria-selected=true]": { background: "Highlight", color: "HighlightText", forcedColorAdjust: "none" },
  },
  "@media print": {
    "&": { height: "auto" },
    ".cm-scroller": { overflow: "visible" },
    ".cm-content": { paddingBottom: "7px", whiteSpace: "pre-wrap" },
    ".cm-cursorLayer, .cm-selectionLayer, .cm-panels, .fold": { display: "none" },
  },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--mute)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--data)" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], color: "var(--op)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--leaf)" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], fontWeight: "600" },
]);

export const theme = [looks, syntaxHighlighting(colours)];
