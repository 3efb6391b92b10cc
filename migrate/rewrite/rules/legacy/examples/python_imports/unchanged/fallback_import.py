try:
    from collections.abc import Sequence
except ImportError:
    from collections import Sequence
x = isinstance([], Sequence)
