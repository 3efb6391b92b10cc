import collections
x = collections.OrderedDict(a=1)
