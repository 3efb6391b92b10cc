"""The Baseline estimators: classifier, regressor and with a head of one's own."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1", "v2")

tf1 = tf.compat.v1
ROWS = 12


def _input(labels, *names):
    features = {
        "x": np.linspace(-1, 1, ROWS, dtype="float32"),
        "z": np.ones([ROWS, 2], "float32"),
        "w": np.linspace(0.5, 2, ROWS, dtype="float32").reshape(ROWS, 1),
    }
    features = {name: features[name] for name in names}

    def input_fn():
        return tf.data.Dataset.from_tensor_slices((features, labels)).batch(4).repeat()

    return input_fn


def _receiver(estimator):
    examples = tf1.placeholder(tf.string, [None])
    parsed = tf.io.parse_example(examples, {"x": tf.io.FixedLenFeature([1], tf.float32)})
    return estimator.export.ServingInputReceiver(parsed, {"examples": examples})


def _life(estimator, model, input_fn, serve=True):
    found = facts.ten_more_steps(model, input_fn)
    if not serve:
        return found
    features = {"x": np.zeros([2, 1], "float32")}
    found["predictions"] = facts.plain(
        # The original's do not end: they do not depend on a batch of known size.
        [p for _, p in zip(range(2), model.predict(lambda: tf.data.Dataset.from_tensors(features)))]
    )
    path = model.export_saved_model(
        os.path.join(model.model_dir, "export"), lambda: _receiver(estimator)
    )
    found["signatures"] = facts.signatures(tf.compat.as_str(path))
    found["scalars"] = facts.scalars(os.path.join(model.model_dir, "eval"))
    return found


def run(estimator, folder):
    v1 = hasattr(estimator, "inputs")
    # The original's v2 models cannot check that two features have one size.
    x = ("x", "z") if v1 else ("x",)
    number = np.arange(ROWS) % 3
    pairs = np.stack([number, number * 2], 1).astype("float32")
    names = np.array(["a", "b", "c"])[number][:, None]

    def config(name):
        return estimator.RunConfig(
            model_dir=os.path.join(folder, name), save_summary_steps=1, tf_random_seed=1
        )

    def adam():
        return tf1.train.AdamOptimizer(0.1) if v1 else tf.keras.optimizers.legacy.Adam(0.1)

    binary = estimator.BaselineClassifier(weight_column="w", config=config("binary"))
    words = estimator.BaselineClassifier(
        n_classes=3, label_vocabulary=["a", "b", "c"], optimizer=adam, config=config("words")
    )
    regressor = estimator.BaselineRegressor(
        label_dimension=2,
        weight_column="w" if v1 else None,
        optimizer="SGD",
        config=config("regressor"),
    )
    found = {
        "binary": _life(estimator, binary, _input(number[:, None] // 2, "w", *x)),
        "words": _life(estimator, words, _input(names, *x), serve=False),
        "regressor": _life(estimator, regressor, _input(pairs, *(("w",) if v1 else ()), *x)),
        "classes": [type(model).__mro__[1].__name__ for model in (binary, regressor)],
        "errors": _errors(estimator, config("errors"), _input(pairs, "x", "w")),
    }
    if not v1:
        head = estimator.MultiLabelHead(2)
        found["head"] = _life(
            estimator,
            estimator.BaselineEstimator(head=head, optimizer="Adagrad", config=config("head")),
            _input((pairs > 0).astype("int64"), "z"),
            serve=False,
        )
    return found


def _errors(estimator, config, input_fn):
    classifier, regressor = estimator.BaselineClassifier, estimator.BaselineRegressor
    found = {
        "classes": facts.error(classifier, n_classes=1),
        "reduction": facts.error(classifier, loss_reduction="none"),
        "optimizer_name": facts.error(
            regressor(optimizer="Other", label_dimension=2, config=config).train, input_fn, steps=1
        ),
        "optimizer_type": facts.error(
            regressor(optimizer=3, label_dimension=2, config=config).train, input_fn, steps=1
        ),
        "weight_type": facts.error(
            classifier(weight_column=3, config=config).train, input_fn, steps=1
        ),
        "label_shape": facts.error(regressor(config=config).train, input_fn, steps=1),
    }
    return {
        **{name: error and error[0] for name, error in found.items()},
        "texts~": {name: error and error[1] for name, error in found.items()},
    }
