"""`deploy/`: replicas behind nginx, for real on loopback."""
