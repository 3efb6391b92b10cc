"""Prints the random numbers of Estimators in two processes. Their operations have no seed.

    python -m tests.legacy.estimator.random_seed ours|original

The output is JSON: orders and dropout masks of two Estimators with `tf_random_seed=1`, and of two
with None. They do not depend on the task, so each Estimator stands for a worker.
"""

import json
import sys
import tempfile


def drawn(api, seed):
    """Returns the order and the dropout mask of two steps of a new Estimator."""
    import tensorflow as tf  # After the engine is loaded, because the engine changes TensorFlow.

    tf1 = tf.compat.v1
    seen = []

    class Noting(tf1.train.SessionRunHook):
        def before_run(self, run_context):
            return tf1.train.SessionRunArgs(tf1.get_collection("drawn"))

        def after_run(self, run_context, run_values):
            seen.append([value.tolist() for value in run_values.results])

    def model_fn(features, labels, mode):
        for one in (features, tf.nn.dropout(tf.ones([64]), rate=0.5)):
            tf1.add_to_collection("drawn", one)
        step = tf1.assign_add(tf1.train.get_global_step(), 1)
        return api.EstimatorSpec(mode, loss=tf.constant(1.0), train_op=step)

    def input_fn():
        return tf.data.Dataset.range(100).shuffle(100).batch(50).map(lambda one: (one, one))

    with tempfile.TemporaryDirectory() as folder:
        config = api.RunConfig(folder, tf_random_seed=seed)
        api.Estimator(model_fn, config=config).train(input_fn, hooks=[Noting()])
    return seen


def main(engine):
    if engine == "original":
        from legacy import original

        api = original.load()
    else:
        from legacy import estimator as api
    print(json.dumps([drawn(api, seed) for seed in (1, 1, None, None)]))


if __name__ == "__main__":
    main(*sys.argv[1:])
