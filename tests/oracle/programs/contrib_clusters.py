"""KMeansClustering of contrib.factorization and of contrib.learn."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)

POINTS = np.array(
    [[1, 1], [9, 8], [1.5, 1], [8, 9], [1, 2], [9, 9.5], [-5, 4], [-6, 5], [-5, 6], [8.5, 8]],
    "float32",
)
CENTERS = POINTS[[0, 1, 6]]


def _factorization(tf, folder):
    kind = tf.contrib.factorization.KMeansClustering

    def input_fn():
        return tf.train.limit_epochs(tf.constant(POINTS), num_epochs=1)

    found = {}
    for name, arguments in (
        ("full", {"use_mini_batch": False}),
        ("cosine", {"use_mini_batch": False, "distance_metric": "cosine"}),
    ):
        config = tf.estimator.RunConfig(save_summary_steps=1, tf_random_seed=1)
        path = os.path.join(folder, name)
        model = kind(3, path, initial_clusters=CENTERS, config=config, **arguments)
        for _ in range(3):
            model.train(input_fn)
        found[name] = {
            "variables": facts.variables(path),
            "centers": facts.plain(model.cluster_centers()),
            "score": facts.plain(model.score(input_fn)),
            "indices": facts.plain(list(model.predict_cluster_index(input_fn))),
            "distances": np.round(list(model.transform(input_fn)), 3).tolist(),
        }
    for steps in (1, 2):
        path = os.path.join(folder, "mini%d" % steps)
        kind(3, path, CENTERS, mini_batch_steps_per_iteration=steps).train(input_fn)
        found["mini%d" % steps] = facts.variables(path)
    found["constants"] = {name: getattr(kind, name) for name in dir(kind) if name.isupper()}
    found["errors"] = [
        facts.error(kind, 2, initial_clusters="other")[0],
        facts.error(kind, 2, distance_metric="other")[0],
    ]
    return found


def _graph(tf):
    """The graph alone, of two tensors with points, run by hand."""
    kind = tf.contrib.factorization.KMeans
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.constant(POINTS[:4]), tf.constant(POINTS[4:])]
        made = kind(inputs, 3, CENTERS, distance_metric="cosine").training_graph()
        all_scores, indices, scores, initialized, init_op, train_op = made
        session.run(tf.global_variables_initializer())
        found = [facts.plain(session.run(initialized))]
        session.run(init_op)
        for _ in range(2):
            session.run(train_op)
        found += facts.plain(session.run([initialized, indices]))
        found += [np.round(each, 3).tolist() for each in session.run(all_scores + scores)]
        return {"found": found, "error": facts.error(kind, inputs, 3, "other")[0]}


def _learn(tf, folder):
    kind = tf.contrib.learn.KMeansClustering

    def input_fn():
        return tf.constant(POINTS), None

    def named():
        return {"b": tf.constant(POINTS[:, 1:]), "a": tf.constant(POINTS[:, :1])}, None

    config = tf.contrib.learn.RunConfig(save_summary_steps=1, tf_random_seed=1)
    path = os.path.join(folder, "learn")
    model = kind(3, path, CENTERS, use_mini_batch=False, relative_tolerance=1e-3, config=config)
    model.fit(input_fn=input_fn, steps=20)
    found = {
        "variables": facts.variables(path),
        "scalars": sorted(facts.scalars(path)),
        "centers": facts.plain(model.clusters()),
        "score": facts.plain(model.score(input_fn=input_fn, steps=1)),
        "metrics": facts.plain(model.evaluate(input_fn=input_fn, steps=1)),
        "indices": facts.plain(list(model.predict_cluster_idx(input_fn=input_fn))),
        "distances": np.round(model.transform(input_fn=input_fn), 3).tolist(),
        "each": [sorted(each) for each in model.transform(input_fn=input_fn, as_iterable=True)],
    }
    path = os.path.join(folder, "named")
    model = kind(3, path, CENTERS, distance_metric="cosine", use_mini_batch=False)
    model.fit(input_fn=named, steps=2)
    found["named"] = facts.plain(model.clusters())
    path = os.path.join(folder, "mini")
    kind(3, path, CENTERS, mini_batch_steps_per_iteration=2).fit(input_fn=input_fn, steps=1)
    found["mini"] = facts.variables(path)
    found["constants"] = {name: getattr(kind, name) for name in dir(kind) if name.isupper()}
    found["labels"] = facts.error(
        kind(3, os.path.join(folder, "errors")).fit,
        input_fn=lambda: (tf.constant(POINTS), tf.zeros([10])),
        steps=1,
    )[0]
    return found


def run(tf, folder):
    return {
        "factorization": _factorization(tf, folder),
        "learn": _learn(tf, folder),
        "graph": _graph(tf),
    }
