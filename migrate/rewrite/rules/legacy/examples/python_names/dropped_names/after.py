import collections
import inspect
import time
import numpy as np
def f(a, b=1):
    return a
x = np.zeros(2, dtype=float).dtype.name, np.inf > 1, np.all([1, 0])
y = isinstance([], collections.abc.Iterable), inspect.getfullargspec(f)[:4][0]
z = time.perf_counter() >= 0
