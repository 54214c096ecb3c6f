"""WebAssembly as such: an assembler of modules, and their instances. Knows nothing of networks."""
