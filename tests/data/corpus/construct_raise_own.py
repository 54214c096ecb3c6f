# kind: construct
class Stop(Exception):
    pass
try:
    raise Stop("now")
except Stop as s:
    print(s.args)
