import numpy as np
x = np.__version__ > '0'
