# kind: python
loss, step, name = 0.123456789, 7, 'mlp'
print("step %d loss %.4f %s" % (step, loss, name))
print("{} {:.3e} {:>6}|{:<6}|{:^7}|".format(step, loss, name, name, name))
print("{0} {1} {0}".format('a', 'b'), "{x:.1f}".format(x=2.55))
print(f"{step:03d} {loss:10.5f} {name!r} {loss:.2%} {step=} {1_000_000:,}")
width = 8
print(f"[{name:*^{width}}] {'yes' if step > 5 else 'no'}")
print("%5.1f|%-8s|%05d|%%" % (3.14159, 'ab', 42))
print('-' * 20)
print("a,b,c".split(','), '-'.join(['x', 'y']), ' pad '.strip(), name.upper(), name.title())
