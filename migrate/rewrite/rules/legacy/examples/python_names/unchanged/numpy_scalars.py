import numpy as np
x = np.float32(1) + np.int64(2)
