"""Reads the pickles of CIFAR-10 without running the functions that they name.

A pickle names functions for the reader to call. A malicious pickle names `os.system`. Here the few
names that an array of bytes needs map to the stand-ins below, and any other name is refused. A
pickle never gets access to NumPy itself.

    >>> import pickle
    >>> loads(pickle.dumps({"labels": [6, 9]}))
    {'labels': [6, 9]}
    >>> loads(pickle.dumps(print))
    Traceback (most recent call last):
    ...
    modern.data.restricted_pickle.NotAllowedError: found builtins.print, which no data file needs
"""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np

from modern.process import foreign_files


class NotAllowedError(pickle.UnpicklingError):
    """A pickle that has more than data in it."""


def loads(content: bytes) -> Any:
    """Reads a pickle of bytes, str, numbers, lists, tuples, dicts and uint8 arrays.

    Args:
      content: The pickle. A `str` of Python 2 becomes bytes, as it was written.

    Returns:
      The object. Arrays become `numpy.ndarray` of uint8 if they are values of the outermost dict,
      as in CIFAR-10.

    Raises:
      NotAllowedError: The pickle names any other function or class.
      Exception: The content is damaged. Unpickling then raises nearly any type of exception.
    """
    result = _Unpickler(_Whole(content), encoding="bytes").load()
    if not isinstance(result, dict):
        return result
    return {
        key: value.array() if isinstance(value, _Array) else value for key, value in result.items()
    }


class _Dtype:
    """Stands in for `numpy.dtype`, and accepts only uint8."""

    def __init__(self, code: str | bytes, align: object = False, copy: object = False) -> None:
        del align, copy  # Also pickled, but without meaning for a plain number.
        if not isinstance(code, str | bytes):
            raise NotAllowedError("found a dtype without a name")
        if code not in ("u1", b"u1"):
            raise NotAllowedError(f"found an array of dtype {code[:20]!r}, expected uint8")

    def __setstate__(self, state: tuple) -> None:
        del state  # Byte order and the like, which a byte does not have.


class _Array:
    """Stands in for an array while it is read."""

    def __init__(self) -> None:
        self._state: tuple = ()

    def __setstate__(self, state: tuple) -> None:
        _, shape, dtype, fortran, raw = state
        self._state = (raw, dtype, shape, "F" if fortran else "C")

    def array(self) -> np.ndarray:
        raw, dtype, shape, order = self._state
        if not isinstance(dtype, _Dtype):
            raise NotAllowedError("found an array without a dtype")
        return np.frombuffer(raw, np.uint8).reshape(shape, order=order)


def _reconstruct(*unused: object) -> _Array:
    return _Array()


def _from_buffer(raw: bytes, dtype: _Dtype, shape: tuple, order: str) -> _Array:
    array = _Array()
    array.__setstate__((1, shape, dtype, order == "F", raw))
    return array


def _encode(text: str, encoding: str) -> bytes:
    if not isinstance(encoding, str):
        raise NotAllowedError("found bytes without an encoding")
    if encoding != "latin1":
        raise NotAllowedError(f"found bytes written as {encoding[:20]!r}, expected latin1")
    return text.encode("latin1")


# The second and third pairs: NumPy 2 renamed the module, and pickle 5 writes arrays differently.
_STAND_INS = {
    ("numpy", "dtype"): _Dtype,
    ("numpy", "ndarray"): _Array,
    ("numpy.core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy._core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy.core.numeric", "_frombuffer"): _from_buffer,
    ("numpy._core.numeric", "_frombuffer"): _from_buffer,
    ("_codecs", "encode"): _encode,
}


# Its methods have no types.
_PythonUnpickler: Any = pickle._Unpickler


class _Whole(io.BytesIO):
    """Bytes whose end raises an error. Python's own unpickler would accept a part of a value."""

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        if size is not None and len(data) < size:
            raise EOFError("Ran out of input")
        return data

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(size)
        if not line.endswith(b"\n"):
            raise EOFError("Ran out of input")
        return line


class _Unpickler(_PythonUnpickler):
    """Python's own unpickler, not the one in C, which allocates memory that a pickle asks for.

    Instructions that data does not need are refused. A few of them could keep the reader busy for
    hours. For example, a key of nested tuples that share their parts has an endless hash.
    """

    dispatch = dict(_PythonUnpickler.dispatch)

    def find_class(self, module: str, name: str) -> Any:
        try:
            return _STAND_INS[module, name]
        except KeyError:
            full_name = foreign_files.one_line(f"{module}.{name}", 80)
            raise NotAllowedError(f"found {full_name}, which no data file needs") from None

    def load_build(self) -> None:
        if not isinstance(self.stack[-2], _Array | _Dtype):
            raise NotAllowedError("found the state of an object, which no data file needs")
        super().load_build()

    def load_setitem(self) -> None:
        _check_keys(self.stack[-2:-1])
        super().load_setitem()

    def load_setitems(self) -> None:
        _check_keys(self.stack[::2])
        super().load_setitems()

    def load_dict(self) -> None:
        _check_keys(self.stack[::2])
        super().load_dict()

    def load_refused(self) -> None:
        raise NotAllowedError("found a set or an object, which no data file needs")

    dispatch[pickle.BUILD[0]] = load_build
    dispatch[pickle.SETITEM[0]] = load_setitem
    dispatch[pickle.SETITEMS[0]] = load_setitems
    dispatch[pickle.DICT[0]] = load_dict
    for _code in (
        *(pickle.EMPTY_SET, pickle.ADDITEMS, pickle.FROZENSET, pickle.PERSID, pickle.BINPERSID),
        *(pickle.EXT1, pickle.EXT2, pickle.EXT4, pickle.INST, pickle.OBJ, pickle.NEXT_BUFFER),
    ):
        dispatch[_code[0]] = load_refused


def _check_keys(keys: list[Any]) -> None:
    if not all(isinstance(key, str | bytes | int) for key in keys):
        raise NotAllowedError("found a key that is no text and no number")
