"""contrib.slim: layers under argument scopes, learning, evaluation, summaries, losses."""

import os
import re

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def network(tf, is_training=True):
    slim = tf.contrib.slim
    x = np.random.RandomState(1).standard_normal((8, 4, 4, 2)).astype(np.float32)
    first = tf.constant_initializer(0.05)
    with slim.arg_scope(
        [slim.conv2d, slim.fully_connected],
        weights_initializer=first,
        weights_regularizer=slim.l2_regularizer(0.01),
        normalizer_fn=slim.batch_norm,
        normalizer_params={"is_training": is_training, "decay": 0.9},
    ):
        net = slim.conv2d(tf.constant(x), 3, [3, 3], scope="conv1")
        net = slim.max_pool2d(net, [2, 2], scope="pool1")
        net = slim.flatten(net)
        net = slim.dropout(net, 1.0, scope="dropout1")
        logits = slim.fully_connected(
            net, 2, activation_fn=None, normalizer_fn=None, scope="logits"
        )
    labels = tf.constant((x.sum(axis=(1, 2, 3)) > 0).astype(np.int64))
    return logits, labels


def train(tf, folder, **more):
    slim = tf.contrib.slim
    with tf.Graph().as_default():
        logits, labels = network(tf)
        slim.losses.sparse_softmax_cross_entropy(logits, labels)
        loss = slim.losses.get_total_loss()
        tf.summary.scalar("loss", loss)
        optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
        op = slim.learning.create_train_op(loss, optimizer, **more)
        last = slim.learning.train(
            op, folder, number_of_steps=6, save_summaries_secs=600, log_every_n_steps=2
        )
        return {
            "loss": float(last),
            "losses": sorted(each.name for each in tf.get_collection(tf.GraphKeys.LOSSES)),
            "summaries": sorted(s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)),
            "variables": facts.variables(folder),
            "values": facts.values(folder),
            "files": _files(folder),
        }


def _files(folder):
    """The first checkpoint is a thread's: it is of whatever step the training has reached."""
    return sorted({re.sub(r"ckpt-[0-5]\.", "ckpt-FIRST.", name) for name in facts.files(folder)})


def train_otherwise(tf):
    slim = tf.contrib.slim
    with tf.Graph().as_default():
        logits, labels = network(tf)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1))
        seen = []

        def step(session, train_op, global_step, arguments):
            loss, stop = slim.learning.train_step(session, train_op, global_step, arguments)
            seen.append([float(loss), bool(stop), sorted(arguments)])
            return loss, stop or len(seen) == 3

        slim.learning.train(op, None, step, number_of_steps=5, init_fn=lambda session: None)
        return seen


def evaluate(tf, folder):
    slim = tf.contrib.slim
    found = {}
    path = tf.train.latest_checkpoint(folder)
    for name in ("once", "loop"):
        log_dir = os.path.join(folder, name)
        with tf.Graph().as_default():
            logits, labels = network(tf, is_training=False)
            predictions = tf.argmax(logits, 1)
            values, updates = slim.metrics.aggregate_metric_map(
                {
                    "accuracy": slim.metrics.streaming_accuracy(predictions, labels),
                    "mean": slim.metrics.streaming_mean(logits),
                }
            )
            tf.summary.scalar("accuracy", values["accuracy"])
            tf.train.get_or_create_global_step()
            common = {"num_evals": 2, "eval_op": list(updates.values()), "final_op": values}
            if name == "once":
                result = slim.evaluation.evaluate_once("", path, log_dir, **common)
            else:
                result = slim.evaluation.evaluation_loop(
                    "", folder, log_dir, max_number_of_evaluations=1, timeout=5, **common
                )
            found[name] = facts.plain(result)
            found[name + " summary"] = facts.scalars(log_dir)
    return found


def losses(tf):
    slim = tf.contrib.slim
    logits = tf.constant([[1.0, -2.0], [0.5, 0.2], [3.0, 1.0]])
    labels = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    weights = tf.constant([1.0, 0.0, 2.0])
    found = {}
    for name in (
        "absolute_difference",
        "mean_squared_error",
        "mean_pairwise_squared_error",
        "sigmoid_cross_entropy",
        "softmax_cross_entropy",
        "hinge_loss",
    ):
        loss = getattr(slim.losses, name)
        found[name] = [loss(logits, labels)]
        if name != "hinge_loss":
            found[name].append(loss(logits, labels, weights=weights))
            if "pairwise" not in name:
                found[name].append(loss(logits, labels, weights=tf.expand_dims(weights, 1)))
            found[name].append(loss(logits, labels, 0.5))
        if name.endswith("entropy"):
            found[name].append(loss(logits, labels, label_smoothing=0.2))
    found["log"] = slim.losses.log_loss(tf.sigmoid(logits), labels, weights=weights)
    found["cosine"] = slim.losses.cosine_distance(logits, labels, dim=1)
    found["sparse"] = slim.losses.sparse_softmax_cross_entropy(logits, tf.constant([[0], [1], [0]]))
    metric = tf.contrib.losses.metric_learning
    embeddings = tf.constant(np.random.RandomState(5).standard_normal((6, 3)), tf.float32)
    classes = tf.constant([0, 1, 0, 2, 1, 0])
    found["triplet"] = metric.triplet_semihard_loss(classes, embeddings)
    found["one class"] = metric.triplet_semihard_loss(tf.zeros([6], tf.int32), embeddings, 0.3)
    found["contrastive"] = metric.contrastive_loss(tf.constant([1, 0, 1]), logits, labels)
    found["npairs"] = metric.npairs_loss(tf.constant([0, 1, 0]), logits, labels)
    with tf.Session() as session:
        found = facts.plain(session.run(found))
    found["names"] = [each.name for each in slim.losses.get_losses()]
    found["error"] = facts.error(slim.losses.cosine_distance, logits, labels)[0]
    return found


def errors(tf):
    slim = tf.contrib.slim
    wrong = {
        "op": lambda: slim.learning.train(None, None),
        "summary": lambda: slim.learning.train(tf.no_op(), None, summary_op=tf.no_op()),
        "saver": lambda: slim.learning.train(tf.no_op(), None, saver=3),
        "trace": lambda: slim.learning.train(tf.no_op(), None, trace_every_n_steps=3),
        "steps": lambda: slim.learning.train(tf.no_op(), None, number_of_steps=0),
        "sync": lambda: slim.learning.train(tf.no_op(), None, sync_optimizer=[3]),
        "traced": lambda: slim.learning.train_step(None, None, None, {"should_trace": 1}),
    }
    return {name: facts.error(wrong[name])[0] for name in sorted(wrong)}


def summaries(tf):
    slim = tf.contrib.slim
    with tf.Graph().as_default():
        one, image = tf.constant(1.0, name="one"), tf.zeros([1, 2, 2, 1], name="image")
        slim.summaries.add_scalar_summaries([one], prefix="p")
        slim.summaries.add_scalar_summary(one, "printed", print_summary=True)
        slim.summaries.add_histogram_summaries([image])
        slim.summaries.add_image_summaries([image], prefix="i")
        slim.summaries.add_zero_fraction_summaries([image])
        variable = tf.get_variable("v", [2, 3])
        found = [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)]
        analyzer = slim.model_analyzer
        return [
            found,
            list(analyzer.analyze_vars([variable], print_info=True)),
            analyzer.tensor_description(one),
            analyzer.tensor_description(variable),
        ]


def run(tf, folder):
    slim = tf.contrib.slim
    trained = os.path.join(folder, "a")
    clipped = {
        "clip_gradient_norm": 0.1,
        "summarize_gradients": True,
        "gradient_multipliers": {"logits/weights": 2.0},
    }
    return {
        "train": train(tf, trained),
        "clipped": train(tf, os.path.join(folder, "b"), **clipped),
        "otherwise": train_otherwise(tf),
        "evaluation": evaluate(tf, trained),
        "losses": losses(tf),
        "errors": errors(tf),
        "summaries": summaries(tf),
        "names": [
            callable(getattr(slim, name))
            for name in ("conv2d", "arg_scope", "get_variables_to_restore", "l2_regularizer")
        ],
    }
