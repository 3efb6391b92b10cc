"""Checkpoints of Estimator and of Keras: what is in them, and the way between them.

    from migrate import checkpoint

    old = checkpoint.open_source("/models/1")
    checkpoint.propose(checkpoint.variables(old.stored), ...)
    checkpoint.convert("/models/1", "new/ckpt-0", model="package.module:build_model")

What needs TensorFlow imports it when it is called.
"""

from migrate.checkpoint.conversion.converter import Conversion, convert
from migrate.checkpoint.conversion.mapping import Tensor, TensorMap, propose
from migrate.checkpoint.conversion.plans import Options, variables
from migrate.checkpoint.conversion.slots import slot_names
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.formats.sources import open_source

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
