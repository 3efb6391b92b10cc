"""Each v2 optimizer's slots and steps in a linear model, which begins with zeros."""

import tensorflow as tf

from tests.oracle import canned_inputs as inputs

APIS = ("v2",)


def optimizers():
    """Returns name to a function that makes the optimizer."""
    try:
        import tf_keras as keras
    except ImportError:
        keras = tf.keras
    legacy = keras.optimizers.legacy
    return {
        "sgd": lambda: legacy.SGD(0.1, momentum=0.9),
        "adam": lambda: legacy.Adam(0.1, amsgrad=True),
        "adagrad": lambda: legacy.Adagrad(0.1),
        "rmsprop": lambda: legacy.RMSprop(0.1, centered=True),
        "ftrl": lambda: legacy.Ftrl(0.1, l1_regularization_strength=0.01),
        "adadelta": lambda: legacy.Adadelta(0.1),
        "adamax": lambda: legacy.Adamax(0.1),
        "nadam": lambda: legacy.Nadam(0.1),
        "decaying": lambda: legacy.SGD(keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)),
    }


def run(estimator, folder):
    input_fn = inputs.input_fn(inputs.two_numbers())
    found = {}
    for name, make in optimizers().items():
        model = estimator.LinearRegressor(
            inputs.small(),
            optimizer=make,
            label_dimension=2,
            config=inputs.config(estimator, folder + "/" + name),
        )
        found[name] = inputs.from_zero(model, input_fn)
    return found
