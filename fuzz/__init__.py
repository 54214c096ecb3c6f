"""Programs that look for inputs on which Gradlens fails; run by `make fuzz`."""
