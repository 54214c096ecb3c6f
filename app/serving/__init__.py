"""What every request passes: wire protocol, headers, bodies, threads, cache, log, metrics."""
