from tqdm import *
