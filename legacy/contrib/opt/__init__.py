"""tf.contrib.opt: optimizers beside those of tf.compat.v1.train.

optimizer = opt.AdamWOptimizer(weight_decay=1e-4, learning_rate=1e-3)
train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())
"""

from legacy.contrib import _missing
from legacy.contrib.opt.adam import AdaMaxOptimizer, LazyAdamOptimizer, NadamOptimizer
from legacy.contrib.opt.lars import LARSOptimizer
from legacy.contrib.opt.moving_average import MovingAverageOptimizer
from legacy.contrib.opt.weight_decay import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)

__getattr__ = _missing.attribute_of("opt")

__all__ = [
    "AdaMaxOptimizer",
    "AdamWOptimizer",
    "DecoupledWeightDecayExtension",
    "LARSOptimizer",
    "LazyAdamOptimizer",
    "MomentumWOptimizer",
    "MovingAverageOptimizer",
    "NadamOptimizer",
    "extend_with_decoupled_weight_decay",
]
