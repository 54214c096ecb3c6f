// What it needs once somebody works in it: completion, closing brackets, search.
export {
  acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus,
  moveCompletionSelection, startCompletion,
} from "@codemirror/autocomplete";
export { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
