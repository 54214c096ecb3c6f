"""A stranger's Python program in CPython compiled to WebAssembly; knows nothing of gradients.

`inside` is what runs there, imported before the snapshot is taken; the other modules are outside.
"""
