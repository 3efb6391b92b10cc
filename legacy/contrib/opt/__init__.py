"""tf.contrib.opt: optimizers that tf.compat.v1.train does not have.

    optimizer = opt.AdamWOptimizer(weight_decay=1e-4, learning_rate=1e-3)
    train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())

Files in reading order:
adam            varies Adam: LazyAdamOptimizer, NadamOptimizer, AdaMaxOptimizer
weight_decay    adds decoupled weight decay: AdamWOptimizer
lars            scales the rate of each layer: LARSOptimizer
moving_average  trains and saves moving averages: MovingAverageOptimizer
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
