import numpy as np
x = np.reshape([[1, 2]], newshape=(2, 1)).tolist()
y = np.asscalar(np.array([3]))
