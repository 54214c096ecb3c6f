"""Code recovered from pasted text: articles, differences, sessions, flattened code."""
