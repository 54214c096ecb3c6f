"""Derivatives of derivatives, and descent along them, on the graphs of traces."""
