"""Pictures of a trace: selection of boxes, layout, and drawing of a frame. No HTTP."""
