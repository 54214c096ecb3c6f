"""Around every answer: the wire, headers, bodies, threads, caching, log, metrics, shutdown."""
