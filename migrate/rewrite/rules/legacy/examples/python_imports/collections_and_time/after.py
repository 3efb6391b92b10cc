from collections.abc import Iterable
from collections import OrderedDict
from time import perf_counter as clock
x = isinstance([], Iterable), OrderedDict(a=1)['a'], clock() >= 0
