# kind: construct
print("{:>5}|{:<5}|{:^5}|{k}".format(1, 2, 3, k="v"))
