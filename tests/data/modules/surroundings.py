from __future__ import annotations
import sys, os, warnings, logging, gc, json, textwrap, time, pprint, heapq, bisect
from types import SimpleNamespace
import collections.abc
import os.path

sys.setrecursionlimit(10000)
sys.path.append("..")
warnings.filterwarnings("ignore")
gc.collect()
os.environ["A"] = "1"
logging.basicConfig(level=logging.INFO)
log = logging.getLogger(__name__)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
sys.stdout.write("x\n")
sys.stdout.flush()
print(
    sys.maxsize,
    sys.float_info.epsilon,
    os.environ.get("A"),
    sys.version_info >= (3, 8),
    sys.version_info.major,
)
print(
    json.dumps({"a": [1, 2.5, None, True], "b": "x"}),
    json.dumps([1], indent=2),
    json.loads('{"a": [1, 2]}'),
    textwrap.dedent("  a\n  b"),
)
pprint.pprint({"b": 1, "a": [1, 2]})
pprint.pprint([1, 2])
h = [3, 1, 2]
heapq.heapify(h)
heapq.heappush(h, 0)
print(
    heapq.heappop(h),
    h,
    heapq.nlargest(2, h),
    heapq.nsmallest(1, h),
    bisect.bisect([1, 2, 3], 2),
    bisect.bisect_left([1, 2, 3], 2),
)
ns = SimpleNamespace(a=1, b="x")
ns.c = 2
print(ns, ns.a, ns == SimpleNamespace(a=1, b="x", c=2))
print(
    isinstance([], collections.abc.Iterable),
    isinstance(5, collections.abc.Iterable),
    isinstance({}, collections.abc.Mapping),
)
t = time.time()
time.sleep(0)
print(time.time() >= t)


def gen():
    got = yield 1
    print("got", got)
    yield 2


it = gen()
print(next(it), it.send("s"))
it.close()
print(list(it))
try:
    raise KeyError("missing")
except KeyError as e:
    print(e, e.args, repr(e), type(e).__name__)
