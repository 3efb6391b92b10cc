from collections import Iterable, OrderedDict
from time import clock
x = isinstance([], Iterable), OrderedDict(a=1)['a'], clock() >= 0
