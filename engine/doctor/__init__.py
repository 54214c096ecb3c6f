"""The doctor: diagnoses training runs from their states."""
