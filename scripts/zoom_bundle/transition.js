// In place of d3-transition, which d3-zoom imports to animate views and to interrupt the animation. Views move by CSS
// transitions here, so none ever runs, and d3-transition with its timer, colours and easings stays out of the bundle.
import { selection } from "d3-selection";

export const interrupt = () => {};
selection.prototype.interrupt = function () {
  return this;
};
