# kind: module
import sys
import os
sys.path.append('..')
from engine import Value

print((Value(2.0) + 1).data)
