"""Each v1 optimizer's slots and steps in a linear model, which begins with zeros."""

import tensorflow as tf

from tests.oracle import canned_inputs as inputs

APIS = ("v1",)

train = tf.compat.v1.train

OPTIMIZERS = {
    "gradient_descent": lambda: train.GradientDescentOptimizer(0.1),
    "momentum": lambda: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: train.AdamOptimizer(0.1),
    "adagrad": lambda: train.AdagradOptimizer(0.1),
    "rmsprop": lambda: train.RMSPropOptimizer(0.1, momentum=0.5, centered=True),
    "ftrl": lambda: train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
    "adadelta": lambda: train.AdadeltaOptimizer(0.1),
    "proximal_adagrad": lambda: train.ProximalAdagradOptimizer(0.1),
    "proximal_gradient_descent": lambda: train.ProximalGradientDescentOptimizer(0.1),
}


def run(estimator, folder):
    input_fn = inputs.input_fn(inputs.two_numbers())
    found = {}
    for name, make in OPTIMIZERS.items():
        model = estimator.LinearRegressor(
            inputs.small(),
            optimizer=make,
            label_dimension=2,
            config=inputs.config(estimator, folder + "/" + name),
        )
        found[name] = inputs.from_zero(model, input_fn)
    return found
