# kind: construct
print(max("bca"), min([3, -4], key=abs), max([], default=0))
