# kind: construct
print("%s %d %.3f %r %5s|" % ("a", 3, 2.5, "b", "c"))
