"""The table of operations on whole arrays: forward, backward, shapes, words.

`ARRAY_OPS` of `engine.array_ops.ops` has an entry for each operation. An entry knows nothing of
a program, of a graph or of NumPy: it computes with `Flat`s, which are a shape and the numbers in
row-major order. The elementwise operations are those of `engine.ops`, broadcast.
"""
