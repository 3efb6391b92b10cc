"""KMeans: each initialization, both metrics, full and mini batches, and log lines."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts

APIS = ("v1",)

tf1 = tf.compat.v1

POINTS = np.array(
    [[1, 1], [9, 8], [1.5, 1], [8, 9], [1, 2], [9, 9.5], [-5, 4], [-6, 5], [-5, 6], [8.5, 8]],
    "float32",
)


def _input(batch, repeat=None):
    return lambda: tf.data.Dataset.from_tensor_slices(POINTS).batch(batch).repeat(repeat)


def _all():
    return tf.data.Dataset.from_tensors(POINTS)


def _receiver(estimator):
    points = tf1.placeholder(tf.float32, [None, 2])
    return estimator.export.TensorServingInputReceiver(points, {"points": points})


def _life(estimator, folder, name, batch, steps=6, **arguments):
    config = estimator.RunConfig(
        model_dir=os.path.join(folder, name),
        save_summary_steps=1,
        tf_random_seed=3,
    )
    kmeans = estimator.experimental.KMeans(config=config, **arguments)
    kmeans.train(_input(batch), steps=steps)
    found = {
        "variables": facts.variables(config.model_dir),
        "files": facts.files(config.model_dir),
        "first_loss": facts.scalars(config.model_dir)["loss"][0],
    }
    if arguments.get("use_mini_batch") is False:
        # With mini batches the original reads the counts of points while it adds to them: by
        # chance before or after.
        found["values"] = facts.values(config.model_dir)
        found["scalars"] = facts.scalars(config.model_dir)
        found["centers"] = facts.plain(kmeans.cluster_centers())
        found["indices"] = facts.plain(list(kmeans.predict_cluster_index(_all)))
        found["distances"] = np.round(list(kmeans.transform(_all)), 2).tolist()
        found["score"] = facts.plain(kmeans.score(_all))
    return kmeans, found


def _features(estimator, folder):
    """Points from a dict, by columns, with centers from a function and a tolerance."""
    calls = []

    def initial(inputs, missing):
        calls.append([len(inputs), len(inputs[0].shape)])
        return inputs[0][: tf.minimum(missing, 2)]

    def features():
        columns = {"b": POINTS[:, :1], "a": POINTS[:, 1:], "c": np.zeros([len(POINTS)], "float32")}
        return tf.data.Dataset.from_tensors(columns).repeat()

    kmeans = estimator.experimental.KMeans(
        3,
        os.path.join(folder, "features"),
        initial_clusters=initial,
        use_mini_batch=False,
        relative_tolerance=1e-3,
        feature_columns=[tf.feature_column.numeric_column(key) for key in "ab"],
    )
    kmeans.train(features)
    return {
        "centers": facts.plain(kmeans.cluster_centers()),
        "step": facts.plain(kmeans.get_variable_value("global_step")),
        "calls": calls[:1],
    }


def run(estimator, folder):
    known = estimator.experimental.KMeans
    found = {}
    for name, batch, arguments in (
        ("random", 10, {"use_mini_batch": False}),
        ("random_small", 2, {"use_mini_batch": True}),
        ("plus_plus", 10, {"initial_clusters": "kmeans_plus_plus", "use_mini_batch": False}),
        ("given", 4, {"initial_clusters": POINTS[[0, 2, 6]]}),
        ("given_full", 10, {"initial_clusters": POINTS[[0, 2, 6]], "use_mini_batch": False}),
        (
            "steps",
            5,
            {
                "initial_clusters": POINTS[[0, 1, 6]],
                "mini_batch_steps_per_iteration": 2,
            },
        ),
        (
            "cosine",
            10,
            {
                "initial_clusters": POINTS[[0, 1, 6]],
                "distance_metric": "cosine",
                "use_mini_batch": False,
            },
        ),
        (
            "cosine_plus_plus",
            5,
            {"initial_clusters": "kmeans_plus_plus", "distance_metric": "cosine"},
        ),
        (
            "cosine_steps",
            5,
            {
                "initial_clusters": POINTS[[0, 1, 6]],
                "distance_metric": "cosine",
                "mini_batch_steps_per_iteration": 3,
            },
        ),
    ):
        kmeans, found[name] = _life(estimator, folder, name, batch, num_clusters=3, **arguments)
    path = kmeans.export_saved_model(os.path.join(folder, "export"), lambda: _receiver(estimator))
    found["signatures"] = facts.signatures(tf.compat.as_str(path))
    found["features"] = _features(estimator, folder)
    errors = {
        "init": facts.error(known, 2, initial_clusters="other"),
        "metric": facts.error(known, 2, distance_metric="other"),
        "few": facts.error(known(5, None, "kmeans_plus_plus", seed=1).train, _input(2), steps=1),
    }
    found["errors"] = {name: error and error[0] for name, error in errors.items()}
    found["texts~"] = errors
    found["constants"] = {name: getattr(known, name) for name in dir(known) if name.isupper()}
    return found
