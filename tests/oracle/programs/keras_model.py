"""model_to_estimator: kinds of Keras models, both checkpoint formats, inputs, metrics, exports."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1
ROWS = 12


def _converter(estimator):
    if estimator.__name__.startswith("legacy"):
        from legacy.estimator.keras import keras_model

        if "v1" in estimator.__name__:
            return keras_model.model_to_estimator
        return keras_model.model_to_estimator_v2
    if hasattr(tf.keras, "estimator"):
        api = tf1.keras if "v1" in estimator.__name__ else tf.keras
        return api.estimator.model_to_estimator
    from tensorflow_estimator.python.estimator import keras_lib

    def convert(*args, **kwargs):
        v2 = "v1" not in estimator.__name__
        kwargs.setdefault("checkpoint_format", "checkpoint" if v2 else "saver")
        return keras_lib.model_to_estimator(*args, use_v2_estimator=v2, **kwargs)

    return convert


def _optimizers():
    # Those of today work in eager mode only; model_to_estimator replaces them.
    return tf.keras.optimizers if tf.executing_eagerly() else tf.keras.optimizers.legacy


def _numbers(*shape):
    count = int(np.prod(shape))
    return (np.sin(np.arange(count, dtype="float32") * 1.7) / 2).reshape(shape)


def _with_weights(model):
    values = [_numbers(*w.shape) + (1.5 if "variance" in w.name else 0) for w in model.weights]
    model.set_weights(values)
    return model


def _functional():
    layers = tf.keras.layers
    x = layers.Input((4,), name="x")
    hidden = layers.Dense(5, activation="tanh", name="hidden")(x)
    hidden = layers.BatchNormalization(name="normal")(hidden)
    y = layers.Dense(3, activation="softmax", name="probabilities")(hidden)
    return tf.keras.Model(x, y)


def _sequential():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [layers.Dense(5, activation="relu", input_shape=(4,), name="one"), layers.Dense(1)]
    )


class Subclassed(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.one = tf.keras.layers.Dense(3, kernel_initializer="ones")
        self.two = tf.keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, inputs):
        return self.two(tf.nn.tanh(self.one(inputs["x"] if isinstance(inputs, dict) else inputs)))

    def get_config(self):
        return {}

    @classmethod
    def from_config(cls, config):
        return cls()


def _two_outputs(as_dict):
    layers = tf.keras.layers
    a, b = layers.Input((2,), name="a"), layers.Input((2,), name="b")
    both = layers.concatenate([a, b], name="both")
    c, d = layers.Dense(1, name="c")(both), layers.Dense(1, activation="sigmoid", name="d")(both)
    if as_dict:
        return tf.keras.Model({"a": a, "b": b}, {"c": c, "d": d})
    return tf.keras.Model([a, b], [c, d])


def _input(features, labels=None):
    def input_fn():
        tensors = features if labels is None else (features, labels)
        return tf.data.Dataset.from_tensor_slices(tensors).batch(4).repeat()

    return input_fn


def _config(estimator, folder, name):
    return estimator.RunConfig(
        model_dir=os.path.join(folder, name), save_summary_steps=1, tf_random_seed=1
    )


def _life(model, input_fn, predict_fn=None, receiver=None):
    """Evaluates, predicts and exports before training, trains, does it all again."""
    found = {"first_files": facts.files(model.model_dir)}
    if receiver:
        path = model.export_saved_model(os.path.join(model.model_dir, "first"), receiver)
        found["signatures"] = facts.signatures(tf.compat.as_str(path))
    found["first"] = facts.plain(model.evaluate(input_fn, steps=3))
    model.train(input_fn, steps=10)
    found["variables"] = facts.variables(model.model_dir)
    found["values"] = facts.values(model.model_dir)
    found["scalars"] = facts.scalars(model.model_dir)
    found["metrics"] = facts.plain(model.evaluate(input_fn, steps=3))
    if predict_fn:
        found["predictions"] = facts.plain([p for p, _ in zip(model.predict(predict_fn), range(4))])
    found["files"] = facts.files(model.model_dir)
    found["class"] = type(model).__name__
    return found


def _functional_life(estimator, folder):
    model = _with_weights(_functional())
    model.compile(_optimizers().Adam(0.1), "categorical_crossentropy", ["accuracy", "mse"])
    config = _config(estimator, folder, "functional")
    converted = _converter(estimator)(model, config=config, checkpoint_format="saver")
    keras = os.path.join(config.model_dir, "keras")
    x = _numbers(ROWS, 4)
    labels = np.eye(3, dtype="float32")[np.arange(ROWS) % 3]
    return {
        "keras_variables": facts.variables(keras),
        "keras_values": facts.values(keras),
        "life": _life(
            converted,
            _input({"x": x}, labels),
            _input(x),
            lambda: _receiver(estimator, {"x": 4}),
        ),
    }


def _receiver(estimator, sizes):
    tensors = {name: tf1.placeholder(tf.float32, [None, size]) for name, size in sizes.items()}
    return estimator.export.ServingInputReceiver(tensors, tensors)


def _sequential_life(estimator, folder):
    model = _with_weights(_sequential())
    model.compile("rmsprop", "mse", [tf.keras.metrics.MeanAbsoluteError(name="off")])
    config = _config(estimator, folder, "sequential")
    converted = _converter(estimator)(model, config=config, checkpoint_format="checkpoint")
    keras = os.path.join(config.model_dir, "keras")
    x = _numbers(ROWS, 4)
    name = model.input_names[0]
    return {
        "keras_variables": facts.variables(keras),
        "keras_values": facts.values(keras),
        "life": _life(
            converted,
            _input(x, x.sum(1, keepdims=True)),
            _input({name: x}),
            lambda: _receiver(estimator, {name: 4}),
        ),
    }


def _subclassed_life(estimator, folder):
    model = Subclassed()
    model.compile(tf1.train.AdagradOptimizer(0.1), "mse", ["mae"])
    config = _config(estimator, folder, "subclassed")
    converted = _converter(estimator)(model, config=config, checkpoint_format="saver")
    x = _numbers(ROWS, 4)
    return _life(converted, _input(x, x.sum(1, keepdims=True)), _input(x))


def _two_outputs_life(estimator, folder, as_dict):
    model = _with_weights(_two_outputs(as_dict))
    model.compile(
        _optimizers().SGD(0.1, momentum=0.9),
        {"c": "mse", "d": "binary_crossentropy"},
        metrics={"c": "mae", "d": ["accuracy", "mse"]},
        loss_weights={"c": 1.0, "d": 0.5},
    )
    names = ["c_mae", "d_accuracy", "d_mse"]
    if not tf.executing_eagerly():
        names = ["c_mean_absolute_error", "d_acc", "d_mean_squared_error"]
    renamed = dict(zip(names, ["c_off", "right", "d_off"]))
    converted = _converter(estimator)(
        model,
        config=_config(estimator, folder, "two{}".format(int(as_dict))),
        metric_names_map=None if as_dict else renamed,
        export_outputs={
            "c": estimator.export.RegressionOutput,
            "d": estimator.export.ClassificationOutput,
        },
    )
    features = {"a": _numbers(ROWS, 2), "b": _numbers(ROWS, 2) + 1}
    labels = {"c": _numbers(ROWS, 1), "d": (np.arange(ROWS) % 2)[:, None].astype("float32")}
    if not as_dict:
        weights = np.linspace(0, 1, ROWS, dtype="float32")
        features = {
            "features": (features["a"], features["b"]),
            "sample_weights": {"c": weights, "d": 1 - weights},
        }
        labels = (labels["c"], labels["d"])

    return _life(
        converted,
        _input(features, labels),
        receiver=lambda: _receiver(estimator, {"a": 2, "b": 2}),
    )


def _errors(estimator, folder):
    convert = _converter(estimator)
    compiled = _sequential()
    compiled.compile("sgd", "mse", ["mae"])
    subclassed = Subclassed()
    subclassed.compile(tf1.train.GradientDescentOptimizer(0.1), "mse")
    calls = {
        "nothing": ((), {}),
        "both": ((compiled, "/there"), {}),
        "not_compiled": ((_sequential(),), {}),
        "format": ((compiled,), {"checkpoint_format": "other"}),
        "subclassed_objects": ((subclassed,), {"checkpoint_format": "checkpoint"}),
        "two_folders": (
            (compiled,),
            {"model_dir": folder, "config": estimator.RunConfig(model_dir="/there")},
        ),
        "no_file": ((), {"keras_model_path": os.path.join(folder, "missing.h5")}),
    }
    found = {}
    for name, (args, kwargs) in calls.items():
        found[name] = facts.error(convert, *args, **kwargs)
    x = _numbers(4, 4)
    model = convert(compiled, model_dir=os.path.join(folder, "errors"))
    name = compiled.input_names[0]
    found["feature_names"] = facts.error(model.train, _input({"other": x}, x[:, :1]), steps=1)
    found["label_names"] = facts.error(model.train, _input({name: x}, {"other": x[:, :1]}), steps=1)
    for key, names in {"unknown": {"loss": ""}, "extra": {"mae": "m", "more": "n"}}.items():
        model = convert(compiled, model_dir=os.path.join(folder, "errors"), metric_names_map=names)
        found["metrics_" + key] = facts.error(model.evaluate, _input(x, x[:, :1]), steps=1)
    model = convert(
        compiled,
        model_dir=os.path.join(folder, "errors"),
        export_outputs={"other": estimator.export.RegressionOutput},
    )
    found["export"] = facts.error(
        model.export_saved_model, folder, lambda: _receiver(estimator, {name: 4})
    )
    return {
        **{name: error and error[0] for name, error in found.items()},
        "texts~": {name: error and error[1] for name, error in found.items()},
    }


def run(estimator, folder):
    cases = {
        "functional": _functional_life,
        "sequential": _sequential_life,
        "two_lists": lambda *given: _two_outputs_life(*given, as_dict=False),
        "two_dicts": lambda *given: _two_outputs_life(*given, as_dict=True),
        "subclassed": _subclassed_life,
        "errors": _errors,
    }
    return {name: case(estimator, folder) for name, case in cases.items()}
