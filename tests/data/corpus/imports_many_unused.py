# kind: imports
from __future__ import annotations
import os
import sys
import warnings
import time
import logging
import pickle
from copy import deepcopy
from collections import defaultdict
from functools import partial, reduce
from pathlib import Path
from dataclasses import dataclass, field
from abc import ABC, abstractmethod
warnings.filterwarnings('ignore')
logging.basicConfig(level=logging.INFO)
logger = logging.getLogger(__name__)
start = time.time()
print(reduce(lambda a, b: a + b, [1, 2, 3]))
logger.info('hidden')
elapsed = time.time() - start
print(elapsed >= 0, __name__)
if 'google.colab' in sys.modules:
    print('colab')
os.environ['CUDA_VISIBLE_DEVICES'] = '0'
os.makedirs('figures', exist_ok=True) if False else None
print(os.path.join('a', 'b.txt'))
BASE = os.path.dirname(os.path.abspath('x'))
sys.path.append(os.path.join(BASE, '..'))
