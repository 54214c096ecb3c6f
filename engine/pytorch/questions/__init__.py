"""What people ask of a training program that does not train, answered from its record."""
