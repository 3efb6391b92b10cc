"""Program that takes steps with optimizers of Keras 3, with the backend of KERAS_BACKEND.

    KERAS_BACKEND=jax python -m tests.modern.optimizers.stepped

Prints the values of variables and of a table after the steps, by the optimizer, in JSON.
"""

import json
import os

from modern.process import chosen_keras

VALUES = [[0.5, -1.0], [2.0, 0.0]]
GRADIENTS = [[[1.0, 2.0], [3.0, -4.0]], [[0.5, 0.0], [1.0, -1.0]], [[-0.3, 0.1], [0.0, 0.2]]]

ROWS = [{0: [1.0, 2.0], 1: [3.0, -4.0]}, {1: [0.5, 1.0]}]  # The gradients of rows, in each step.
OF_TABLES = ("SGD", "SGD with momentum", "Adagrad", "Ftrl", "Momentum")


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


def table_after_steps(make):
    """Returns the values of a table of three rows, of which each step uses some."""
    from modern.layers import embedding

    keras = chosen_keras.load()
    layer = embedding.Embedding(3, 2)
    layer.build()
    layer.embeddings.assign([*VALUES, [1.5, -0.5]])
    optimizer = make()
    optimizer.build([layer.embeddings])
    for rows in ROWS:
        _step(optimizer, [layer.embeddings], [_of_table(rows)])
    return keras.ops.convert_to_numpy(layer.embeddings).tolist()


def _of_table(rows):
    """Returns the gradient that the backend would compute."""
    if chosen_keras.is_on_tensorflow():
        import tensorflow as tf

        return tf.IndexedSlices(tf.constant([*rows.values()]), tf.constant([*rows]), [3, 2])
    whole = [rows.get(row, [0.0, 0.0]) for row in range(3)]
    return chosen_keras.load().ops.convert_to_tensor(whole, dtype="float32")


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
    printed = {
        "variables": {name: values_after_steps(make) for name, make in makers().items()},
        "tables": {name: table_after_steps(makers()[name]) for name in OF_TABLES},
    }
    print(json.dumps(printed))
