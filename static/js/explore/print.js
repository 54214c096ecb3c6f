/** The page of frames to print: its button opens the browser's dialog. */
import { on } from "../common/elements.js";

on("print", "click", () => window.print());
