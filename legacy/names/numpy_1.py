"""Names, arguments and habits of NumPy 1 that NumPy 2 has dropped.

`legacy.run` restores them for a program, and `migrate rewrite` writes today's.
"""

from __future__ import annotations

# The replacement of each removed name. If it begins with a dot, it is a name of NumPy. Otherwise
# it is a name of Python.
NAMES: dict[str, str] = {
    "Inf": ".inf",
    "Infinity": ".inf",
    "NaN": ".nan",
    "PINF": ".inf",
    "alen": "len",
    "alltrue": ".all",
    "bool": "bool",
    "bool8": ".bool_",
    "bytes0": ".bytes_",
    "cast": ".asarray",
    "cfloat": ".complex128",
    "clongfloat": ".clongdouble",
    "complex": "complex",
    "complex_": ".complex128",
    "cumproduct": ".cumprod",
    "float": "float",
    "float_": ".float64",
    "in1d": ".isin",
    "infty": ".inf",
    "int": "int",
    "int0": ".intp",
    "issubclass_": "issubclass",
    "issubsctype": ".issubdtype",
    "long": "int",
    "longcomplex": ".clongdouble",
    "longfloat": ".longdouble",
    "mat": ".asmatrix",
    "ndfromtxt": ".genfromtxt",
    "object": "object",
    "object0": ".object_",
    "product": ".prod",
    "rank": ".ndim",
    "round_": ".round",
    "row_stack": ".vstack",
    "singlecomplex": ".complex64",
    "sometrue": ".any",
    "str": "str",
    "str0": ".str_",
    "string_": ".bytes_",
    "trapz": ".trapezoid",
    "typeDict": ".sctypeDict",
    "uint0": ".uintp",
    "unicode": "str",
    "unicode_": ".str_",
    "void0": ".void",
}

# Old and new names of arguments, by function.
ARGUMENTS = {
    "histogram": ("normed", "density"),
    "nanpercentile": ("interpolation", "method"),
    "nanquantile": ("interpolation", "method"),
    "percentile": ("interpolation", "method"),
    "quantile": ("interpolation", "method"),
    "reshape": ("newshape", "shape"),
    "unravel_index": ("dims", "shape"),
}

# Functions that accepted a generator of arrays.
STACKING = ("column_stack", "dstack", "hstack", "stack", "vstack")
