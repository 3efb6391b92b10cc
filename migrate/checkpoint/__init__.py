"""Checkpoints of Estimator and of Keras: what is in them, and the way between them.

    from migrate import checkpoint

    old = checkpoint.open_source("/models/1")
    checkpoint.propose(checkpoint.variables(old.stored), ...)
    checkpoint.convert("/models/1", "new/ckpt-0", model="package.module:build_model")

What needs TensorFlow imports it when it is called.
"""

from migrate.checkpoint.converting import Conversion, convert
from migrate.checkpoint.mapping import Tensor, TensorMap, propose
from migrate.checkpoint.planning import Options, variables
from migrate.checkpoint.slots import slot_names
from migrate.checkpoint.source import Source
from migrate.checkpoint.sources import open_source

__all__ = [
    "Conversion",
    "Options",
    "Source",
    "Tensor",
    "TensorMap",
    "convert",
    "open_source",
    "propose",
    "slot_names",
    "variables",
]
