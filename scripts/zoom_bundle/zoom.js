// What pan, zoom and pinch need.
export { zoom, zoomIdentity } from "d3-zoom";
export { select } from "d3-selection";
