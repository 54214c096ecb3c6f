"""A WebAssembly assembler, and instances of the modules it builds; independent of networks."""
