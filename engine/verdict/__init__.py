"""The verdict on gradients that a program's own class wrote, and the cause of each wrong one."""
