"""The weights in a checkpoint under the names of a model, whichever way wrote it.

    weights = checkpoint_weights.read("model/checkpoints/ckpt-100", like=initial)

Which is which is said by the maps of `migrate.checkpoint`, as for any conversion.
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
      path: a checkpoint's prefix, name-based or object-based.
      like: the model's weights by name; other values (optimizer slots, the global step) are left
        out.
      renamed: from a name in this checkpoint to the model's, where it is another.

    Returns:
      Name to array, for those whose place is certain.

    Raises:
      cli.UsageError: there is no such checkpoint, or it is damaged.
    """
    wanted = [checkpoint.Tensor(name, np.shape(v), str(v.dtype)) for name, v in like.items()]
    with checkpoint.open_source(path) as source:
        stored = {one.name: one for one in source.stored}
        given = {old: new for old, new in (renamed or {}).items() if old in stored}
        pairs = checkpoint.propose(checkpoint.variables(source.stored), wanted, given).pairs
        return {new: source.read(stored[old]) for old, new in pairs.items()}
