from lecture import *
