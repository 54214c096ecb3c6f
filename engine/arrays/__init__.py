"""Small arrays with NumPy's semantics: shapes, elements, printing and random numbers."""
