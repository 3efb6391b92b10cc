"""Reads the weights of any way's checkpoint under the names of one model.

    weights = checkpoint_weights.read("model/checkpoints/ckpt-100", like=initial)

The maps of `migrate.checkpoint` match the names, as for any conversion.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from migrate import checkpoint


def read(
    path: str, like: Mapping[str, np.ndarray], renamed: Mapping[str, str] | None = None
) -> dict[str, np.ndarray]:
    """Reads the weights of a model.

    Args:
      path: Prefix of a checkpoint, name-based or object-based.
      like: The model's weights by name. Other values (optimizer slots, the global step) are left
        out.
      renamed: Name in the model for each name in this checkpoint that differs.

    Returns:
      Arrays by name, for the weights whose match is certain.

    Raises:
      cli.UsageError: The checkpoint does not exist, or is damaged.
    """
    tensors = [checkpoint.Tensor(name, np.shape(v), str(v.dtype)) for name, v in like.items()]
    with checkpoint.open_source(path) as source:
        sources = {tensor.name: tensor for tensor in source.stored}
        fixed_pairs = {old: new for old, new in (renamed or {}).items() if old in sources}
        pairs = checkpoint.propose(checkpoint.variables(source.stored), tensors, fixed_pairs).pairs
        return {new: source.read(sources[old]) for old, new in pairs.items()}
