"""Trains an unmodified model_fn with Keras, under any tf.distribute strategy.

    from migrate import bridge

    with strategy.scope():
        model = bridge.KerasModelFn(model_fn, params={"learning_rate": 0.1})
    model.load_estimator_checkpoint("old_model_dir")  # weights, slots, step
    model.fit(dataset, steps_per_epoch=1000)

See docs/bridge.md for what is bridged how, and what is refused.
"""

from migrate.bridge.errors import BridgeError
from migrate.bridge.inputs import imported as load
from migrate.bridge.model import KerasModelFn

__all__ = ["BridgeError", "KerasModelFn", "load"]
