"""contrib.layers.optimize_loss, and summaries."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def model(tf):
    x = tf.constant(np.linspace(-1, 1, 8).reshape(4, 2), tf.float32)
    kernel = tf.get_variable("kernel", [2, 1], initializer=tf.constant_initializer([[0.5], [-0.5]]))
    table = tf.get_variable("table", initializer=np.float32([[0.1], [0.2], [0.3]]))
    rows = tf.nn.embedding_lookup(table, [0, 2, 2, 0])
    error = tf.matmul(x, kernel) + rows - tf.reduce_sum(x, 1, keepdims=True) - 1.0
    return tf.reduce_mean(tf.square(error))


def train(tf, folder, learning_rate=0.1, optimizer="SGD", fn=None, **more):
    with tf.Graph().as_default(), tf.Session() as session:
        step = tf.train.get_or_create_global_step()
        counted = tf.get_variable("counted", [], initializer=tf.zeros_initializer())
        tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_add(counted, 1.0))
        if fn:
            more = fn(tf, step)
        op = tf.contrib.layers.optimize_loss(model(tf), step, learning_rate, optimizer, **more)
        merged = tf.summary.merge_all()
        session.run(tf.global_variables_initializer())
        writer = tf.summary.FileWriter(folder)
        losses = []
        for i in range(3):
            loss, text = session.run([op, merged if merged is not None else tf.no_op()])
            losses.append(float(loss))
            if text:
                writer.add_summary(text, i)
        writer.close()
        return {
            "losses": losses,
            "name": op.name,
            "variables": {v.op.name: facts.plain(session.run(v)) for v in tf.global_variables()},
            "scalars": facts.scalars(folder),
            "tags": [s.op.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)],
        }


def decayed(tf, step):
    return {
        "learning_rate_decay_fn": lambda rate, step: tf.train.exponential_decay(rate, step, 2, 0.5)
    }


def adaptive(tf, step):
    clip = tf.contrib.slim.adaptive_clipping_fn
    return {"clip_gradients": clip(std_factor=0.1, static_max_norm=0.5, global_step=step)}


def multiplied(tf, step):
    return {"gradient_multipliers": {"kernel:0": 2.0, "table:0": tf.constant(0.5)}}


def noise(tf, step):
    tf.set_random_seed(1)
    return {"gradient_noise_scale": 0.0}


def errors(tf):
    optimize = tf.contrib.layers.optimize_loss
    loss = model(tf)
    step = tf.train.get_or_create_global_step()
    adam = tf.train.AdamOptimizer
    wrong = [
        [tf.constant([1.0]), step, 0.1, "SGD"],
        [loss, tf.constant(1.0), 0.1, "SGD"],
        [loss, step, -0.1, "SGD"],
        [loss, step, 1, "SGD"],
        [loss, step, tf.constant([0.1]), "SGD"],
        [loss, step, 0.1, "None"],
        [loss, step, None, "SGD"],
        [loss, step, None, adam],
        [loss, step, 0.1, 3],
        [loss, step, 0.1, lambda rate: rate],
        [loss, step, 0.1, "SGD", None, None, "clip"],
        [loss, step, 0.1, "SGD", None, None, None, None, None, None, None, ["mine"]],
    ]
    return [facts.error(optimize, *each)[0] for each in wrong]


def summaries(tf):
    layers = tf.contrib.layers
    with tf.Graph().as_default():
        net = layers.fully_connected(tf.ones([2, 3]), 2, scope="one")
        tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, net)
        tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, tf.nn.relu6(net, name="six"))
        layers.summarize_activations()
        layers.summarize_collection(tf.GraphKeys.GLOBAL_VARIABLES, "one/w")
        layers.summarize_tensor(tf.constant(1.0, name="scalar"))
        layers.summarize_tensors([tf.constant([1.0], name="vector")])
        nothing = layers.summarize_tensor(tf.constant("text"))
        layers.summaries.summarize_variables()
        found = [[s.op.name, s.op.type] for s in tf.get_collection(tf.GraphKeys.SUMMARIES)]
        return [found, nothing]


def run(tf, folder):
    cases = {
        "plain": {},
        "own rate": {"learning_rate": 0.25},
        "adam": {"optimizer": "Adam", "name": "train", "summaries": []},
        "ftrl": {"optimizer": "Ftrl"},
        "momentum": {"optimizer": "Momentum"},
        "class": {"optimizer": tf.train.AdagradOptimizer},
        "object": {"learning_rate": None, "optimizer": tf.train.GradientDescentOptimizer(0.3)},
        "function": {"optimizer": lambda rate: tf.train.RMSPropOptimizer(rate)},
        "clipped": {"clip_gradients": 0.1},
        "clipped by": {"clip_gradients": lambda pairs: [(2 * g, v) for g, v in pairs[1:2]]},
        "decayed": {"fn": decayed},
        "adaptive": {"fn": adaptive},
        "multiplied": {"fn": multiplied},
        "noise": {"fn": noise},
        "no updates": {"update_ops": []},
        "not counted": {"increment_global_step": False},
        "all": {
            "clip_gradients": 1.0,
            "summaries": list(tf.contrib.layers.OPTIMIZER_SUMMARIES),
            "name": "mine",
        },
    }
    found = {
        name: train(tf, os.path.join(folder, str(i)), **cases[name])
        for i, name in enumerate(sorted(cases))
    }
    found["errors"] = errors(tf)
    found["names"] = sorted(tf.contrib.layers.OPTIMIZER_CLS_NAMES)
    found["summaries"] = summaries(tf)
    return found
