"""Hyperparameters as a dataclass, overridden by JSON on the command line."""

import dataclasses
import json
import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS = 5
COMMAND_LINE = '{"learning_rate": 0.05, "hidden": [4, 2], "activation": "relu"}'


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


@dataclasses.dataclass(frozen=True)
class HParams:
    learning_rate: float = 0.1
    hidden: list = dataclasses.field(default_factory=lambda: [8])
    activation: str = "tanh"
    momentum: float = 0.0

    def __post_init__(self):
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, (int, float) if field.type is float else field.type):
                raise ValueError(f"{field.name}={value!r}: give a {field.type.__name__}.")


def parse(hparams, text):
    values = json.loads(text)
    unknown = values.keys() - {field.name for field in dataclasses.fields(hparams)}
    if unknown:
        raise ValueError(f"There is no hyperparameter {', '.join(sorted(unknown))}.")
    return dataclasses.replace(hparams, **values)


def refused(hparams, text):
    try:
        parse(hparams, text)
    except ValueError:
        return True
    return False


def build_model(params):
    net = features = tf_keras.Input([3])
    for units in params.hidden:
        kernel = tf.constant_initializer(np.full([net.shape[1], units], 0.1))
        net = tf_keras.layers.Dense(units, params.activation, kernel_initializer=kernel)(net)
    outputs = tf_keras.layers.Dense(1, kernel_initializer="ones", name="outputs")(net)
    model = tf_keras.Model(features, outputs)
    optimizer = tf_keras.optimizers.SGD(params.learning_rate, params.momentum)
    model.compile(optimizer=optimizer, loss="mse")
    return model


def main(folder):
    hparams = parse(HParams(), COMMAND_LINE)
    hparams = dataclasses.replace(hparams, momentum=0.5)
    written = json.loads(json.dumps(dataclasses.asdict(hparams)))
    model = build_model(hparams)
    model.fit(input_fn(), steps_per_epoch=STEPS, verbose=0)
    model.save_weights(f"{folder}/model")
    return {
        "written": written,
        "unknown_name": refused(HParams(), '{"lerning_rate": 1.0}'),
        "wrong_type": refused(HParams(), '{"learning_rate": "fast"}'),
        "kernel": model.get_layer("outputs").kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
