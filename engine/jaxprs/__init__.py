"""A function of JAX, equation by equation, forward and backward, as the record of a program."""
