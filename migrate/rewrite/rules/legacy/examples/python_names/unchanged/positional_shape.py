import numpy as np
x = np.reshape([1, 2], (2, 1), order='C').tolist()
