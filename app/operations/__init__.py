"""The pages of single operations: formula, numbers at special points, plot, names elsewhere."""
