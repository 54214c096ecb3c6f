# kind: construct
s = "Hello, grad"
print(s.lower(), s.replace("l", "L"), s.find("g"), s.startswith("He"), s[::-1], s.split(", "))
