"""The doctor: what ails a training run, from the states that it went through."""
