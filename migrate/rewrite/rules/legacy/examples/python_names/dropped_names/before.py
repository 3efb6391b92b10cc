import collections
import inspect
import time
import numpy as np
def f(a, b=1):
    return a
x = np.zeros(2, dtype=np.float).dtype.name, np.Inf > 1, np.alltrue([1, 0])
y = isinstance([], collections.Iterable), inspect.getargspec(f)[0]
z = time.clock() >= 0
