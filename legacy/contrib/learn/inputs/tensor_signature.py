"""Types and shapes of the first features and labels, with which later ones are compared.

seen = signatures(features)
if not compatible(other_features, seen): ...
"""

from __future__ import annotations

import collections
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

TensorSignature = collections.namedtuple("TensorSignature", ["dtype", "shape", "is_sparse"])


def _signature(tensor: Any) -> TensorSignature:
    sparse = isinstance(tensor, tf.SparseTensor)
    return TensorSignature(tensor.dtype, None if sparse else tensor.shape, sparse)


def signatures(tensors: Any) -> Any:
    """Returns the signature of a tensor, or of each tensor of a dict.

    Args:
      tensors: A tensor, a dict of tensors, or None.

    Returns:
      A `TensorSignature`, a dict of signatures, or None.
    """
    if isinstance(tensors, dict):
        return {name: _signature(tensor) for name, tensor in tensors.items()}
    return None if tensors is None else _signature(tensors)


def compatible(tensors: Any, seen: Any) -> bool:
    """Returns true if tensors match signatures in dtype, and in shape after the first dimension.

    Args:
      tensors: A tensor, a dict of tensors, or None.
      seen: Signatures to compare with.
    """
    if isinstance(tensors, dict) or isinstance(seen, dict):
        return (
            isinstance(tensors, dict)
            and isinstance(seen, dict)
            and all(name in tensors and compatible(tensors[name], seen[name]) for name in seen)
        )
    if tensors is None or seen is None:
        return tensors is None and seen is None
    new = _signature(tensors)
    if new.is_sparse != seen.is_sparse or not new.dtype.is_compatible_with(seen.dtype):
        return False
    if new.is_sparse or new.shape.rank is None or seen.shape.rank is None:
        return True
    return new.shape.rank == seen.shape.rank and new.shape[1:].is_compatible_with(seen.shape[1:])


def placeholders(seen: Any) -> Any:
    """Returns placeholders that match signatures.

    Args:
      seen: Signatures, or None.

    Returns:
      A placeholder, a dict of placeholders, or None.
    """
    if isinstance(seen, dict):
        return {name: placeholders(signature) for name, signature in seen.items()}
    if seen is None:
        return None
    if seen.is_sparse:
        return tf1.sparse_placeholder(seen.dtype)
    return tf1.placeholder(seen.dtype, [None, *seen.shape[1:]])
