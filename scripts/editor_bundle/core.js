// What the editor needs from the start.
export {
  ChangeSet, Compartment, EditorSelection, EditorState, Prec, RangeSet, StateEffect, StateField,
} from "@codemirror/state";
export {
  Decoration, EditorView, GutterMarker, WidgetType, drawSelection, dropCursor, gutter, gutterLineClass,
  hoverTooltip, keymap, lineNumbers, rectangularSelection, showPanel, showTooltip,
} from "@codemirror/view";
export {
  defaultKeymap, history, historyField, historyKeymap, indentLess, indentMore, isolateHistory, undo,
} from "@codemirror/commands";
export {
  HighlightStyle, LRLanguage, bracketMatching, codeFolding, ensureSyntaxTree, foldEffect, foldGutter, foldKeymap,
  foldService, foldedRanges, indentOnInput, indentService, indentUnit, syntaxHighlighting, syntaxTree, unfoldEffect,
} from "@codemirror/language";
export { parser } from "@lezer/python";
export { tags } from "@lezer/highlight";
