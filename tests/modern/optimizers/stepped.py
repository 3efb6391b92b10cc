"""Program that takes steps with optimizers of Keras 3, with the backend of KERAS_BACKEND.

    KERAS_BACKEND=jax python -m tests.modern.optimizers.stepped

Prints the values of a variable after the steps, by the name of the optimizer, in JSON.
"""

import json
import os

from modern.process import chosen_keras

VALUES = [[0.5, -1.0], [2.0, 0.0]]
GRADIENTS = [[[1.0, 2.0], [3.0, -4.0]], [[0.5, 0.0], [1.0, -1.0]], [[-0.3, 0.1], [0.0, 0.2]]]


def makers():
    """Returns functions that make the optimizers."""
    from modern.optimizers import chosen, classic_keras3

    schedules = chosen_keras.load().optimizers.schedules
    stepped = schedules.PiecewiseConstantDecay([1], [0.5, 0.1])
    return {
        "SGD": lambda: chosen.SGD(0.5),
        "SGD with momentum": lambda: chosen.SGD(0.5, momentum=0.9),
        "Adagrad": lambda: chosen.Adagrad(0.5, epsilon=0.0),
        "Ftrl": lambda: chosen.Ftrl(0.5, l1_regularization_strength=0.1),
        "Ftrl of another power": lambda: chosen.Ftrl(0.5, -0.7, l2_regularization_strength=0.1),
        "Momentum": lambda: classic_keras3.Momentum(stepped),
        "AdamWeightDecay": lambda: classic_keras3.AdamWeightDecay(
            stepped, 0.1, global_clipnorm=1.0
        ),
        "ByLayer": lambda: chosen.ByLayer({"a": chosen.Ftrl(0.5), "b": chosen.Adagrad(0.5)}),
    }


def values_after_steps(make):
    """Returns the values of two variables, of the layers a and b, after all steps."""
    keras = chosen_keras.load()
    variables = []
    for layer in ("a", "b"):
        with keras.name_scope(layer):
            variables.append(keras.Variable(VALUES, dtype="float32", name="kernel"))
    optimizer = make()
    optimizer.build(variables)
    for gradient in GRADIENTS:
        tensor = keras.ops.convert_to_tensor(gradient, dtype="float32")
        _step(optimizer, variables, [tensor, 2.0 * tensor])
    return [keras.ops.convert_to_numpy(variable).tolist() for variable in variables]


def _step(optimizer, variables, gradients):
    if chosen_keras.load().config.backend() != "jax":
        optimizer.apply(gradients, variables)
        return
    # As the `fit` of JAX does.
    state = optimizer.variables
    new, new_state = optimizer.stateless_apply(
        [variable.value for variable in state],
        gradients,
        [variable.value for variable in variables],
    )
    for variable, value in zip([*variables, *state], [*new, *new_state], strict=True):
        variable.assign(value)


if __name__ == "__main__":
    chosen_keras.choose(3, backend=os.environ["KERAS_BACKEND"])
    print(json.dumps({name: values_after_steps(make) for name, make in makers().items()}))
