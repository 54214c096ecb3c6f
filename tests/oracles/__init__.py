"""What PyTorch, NumPy and JAX answer, recorded, so that the tests need none of them.

A test asks `oracle("torch_calculus.hessian", start)`: what the function `hessian` of
tests/oracles/torch_calculus.py returns. `make test` reads the answer from tests/data/oracles;
`make oracles` computes it anew with the real library and compares. Only the modules of this folder
import those libraries.
"""
