from collections import OrderedDict, namedtuple
x = OrderedDict(a=1)['a']
