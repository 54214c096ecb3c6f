"""The page of a recorded PyTorch program: its graph by calls and modules, stepped both ways."""
