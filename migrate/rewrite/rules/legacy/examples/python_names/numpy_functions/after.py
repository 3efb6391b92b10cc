import numpy as np
x = np.reshape([[1, 2]], (2, 1)).tolist()
y = np.asarray(np.array([3])).item()
