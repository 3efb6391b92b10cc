"""Tests for the names of variables in files of Keras 3, with layers of a program's own classes."""

import pytest

from migrate.checkpoint.conversion import models
from modern.optimizers import keras3
from modern.process.chosen_keras import keras

pytestmark = pytest.mark.keras(3)


class Block(keras.layers.Layer):
    """Two layers of the same class and shape."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.query = keras.layers.Dense(2, name="query")
        self.key = keras.layers.Dense(2, name="key", trainable=False)

    def call(self, x):
        return self.query(x) + self.key(x)


class Model(keras.Model):
    def __init__(self):
        super().__init__(name="encoder")
        self.blocks = [Block(name=f"layer_{number}") for number in range(2)]
        self.dropout = keras.layers.Dropout(0.5)
        self.losses_seen = keras.metrics.Mean(name="losses_seen")

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.dropout(x)


def build(optimizer):
    model = Model()
    model(keras.ops.ones((1, 2)))
    model.compile(optimizer, "mse")
    return model


def build_model():
    return build(keras.optimizers.Adam(use_ema=True))


def build_in_half_precision():
    return build(keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam()))


def build_by_layer():
    optimizers = {name: keras3.Adagrad(0.1) for name in ("layer_0", "layer_1")}
    return build(keras3.ByLayer(optimizers))


def build_in_bfloat16():
    keras.config.set_dtype_policy("bfloat16")
    try:
        return build(keras.optimizers.Adam())
    finally:
        keras.config.set_dtype_policy("float32")


@pytest.mark.parametrize("kind", ["weights.h5", "keras", "object-based"])
def test_each_file_has_the_names_of_the_model(kind, tmp_path):
    model = models.Model(f"{__name__}:build_model")
    with models.template(model, kind, str(tmp_path)) as template:
        found = {tensor.name: tensor for tensor in template.stored}
        values = template.read(found["layer_0/query/bias"])
    names = [f"layer_{i}/{layer}/{part}" for i in range(2) for layer in ("query", "key")
             for part in ("kernel", "bias")]  # fmt: skip
    assert [name for name, tensor in found.items() if tensor.role == "variable"] == names
    assert not found["layer_1/key/kernel"].trainable
    slot, average = found["Adam/v/layer_1/query/kernel"], found["Adam/average/layer_1/query/bias"]
    assert (slot.role, slot.kind, slot.owner) == ("slot", "Adam", "layer_1/query/kernel")
    assert (average.role, average.owner) == ("average", "layer_1/query/bias")
    assert found["Adam/iteration"].role == "step"
    # Neither metrics nor the seeds of a dropout are variables of the model.
    assert {tensor.role for tensor in template.stored if "seen" in tensor.key} <= {"metric"}
    # The template has the values of the model, and not the numbers.
    assert values.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "kind"), [("build_in_half_precision", "Adam"), ("build_by_layer", "Adagrad")]
)
def test_an_optimizer_in_an_optimizer_keeps_its_slots(name, kind, tmp_path):
    spec = models.Model(f"{__name__}:{name}")
    model = globals()[name]()
    model.optimizer.build(model.trainable_variables)
    path = str(tmp_path / "m.weights.h5")
    model.save_weights(path)
    with models.open_numbered(spec, path) as source:
        kinds = {(tensor.owner, tensor.kind) for tensor in source.of("slot")}
    trained = [f"layer_{i}/query/{part}" for i in range(2) for part in ("kernel", "bias")]
    assert kinds == {(owner, kind) for owner in trained}


def test_variables_that_cannot_hold_the_numbers_keep_the_names_of_the_file(tmp_path):
    spec = models.Model(f"{__name__}:build_in_bfloat16")
    with models.template(spec, "weights.h5", str(tmp_path)) as template:
        names = [tensor.name for tensor in template.of("variable")]
    assert len(set(names)) == len(names) == 8
    exact = [name for name in names if name.startswith("layer_")]
    shapes = {tensor.name: tensor.key for tensor in template.of("variable")}
    assert all(name.split("/")[1] in shapes[name] for name in exact)
