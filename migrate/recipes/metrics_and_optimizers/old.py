"""Runs every optimizer on the same small problem, and computes metrics without an Estimator."""

import tempfile

import numpy as np
import tensorflow as tf

STEPS = 10
OPTIMIZERS = {
    "GradientDescent": lambda: tf.train.GradientDescentOptimizer(0.1),
    "Momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "Nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "Adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "Adadelta": lambda: tf.train.AdadeltaOptimizer(1.0),
    "Adam": lambda: tf.train.AdamOptimizer(0.1),
    "RMSProp": lambda: tf.train.RMSPropOptimizer(0.1),
    "Ftrl": lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
}


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(20, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def make_scores():
    """Returns labels and scores in batches of 8, 8 and 4."""
    random = np.random.RandomState(1)
    labels = random.randint(0, 2, 20)
    scores = np.clip(0.3 * labels + random.uniform(0, 0.7, 20), 0, 1).astype(np.float32)
    return [(labels[i : i + 8], scores[i : i + 8]) for i in range(0, 20, 8)]


def trained_weights(make_optimizer, scale=1.0):
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = make_data()
        weights = tf.get_variable("weights", initializer=tf.constant([[0.5], [0.4], [0.3]]))
        loss = scale * tf.losses.mean_squared_error(y, tf.matmul(x, weights))
        step = tf.train.get_or_create_global_step()
        train_op = make_optimizer().minimize(loss, global_step=step)
        session.run(tf.global_variables_initializer())
        for _ in range(STEPS):
            session.run(train_op)
        return session.run(weights).ravel().tolist()


def evaluated():
    with tf.Graph().as_default(), tf.Session() as session:
        labels, scores = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None])
        guesses = tf.cast(scores > 0.5, tf.int64)
        metrics = {
            "accuracy": tf.metrics.accuracy(labels, guesses),
            "precision": tf.metrics.precision(labels, guesses),
            "recall": tf.metrics.recall(labels, guesses),
            "auc": tf.metrics.auc(labels, scores),
            "mean_score": tf.metrics.mean(scores),
            "mean_of_batches": tf.metrics.mean(tf.reduce_mean(scores)),
            "rmse": tf.metrics.root_mean_squared_error(tf.cast(labels, tf.float32), scores),
        }
        session.run(tf.local_variables_initializer())
        for batch in make_scores():
            updates = [update for _, update in metrics.values()]
            session.run(updates, dict(zip((labels, scores), batch)))
        return {name: float(session.run(value)) for name, (value, _) in metrics.items()}


def main(folder):
    weights = {name: trained_weights(make) for name, make in OPTIMIZERS.items()}
    # Tiny gradients show a wrong epsilon: with 1e-7 instead of 1e-8, the first weight would move a
    # fifth as far.
    weights["small gradients"] = trained_weights(OPTIMIZERS["Adam"], scale=1e-7)
    return dict(weights, **evaluated())


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
