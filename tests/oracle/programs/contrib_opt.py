"""contrib.opt: losses and slots after some steps, of both kinds of variables."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def model(tf, resource):
    with tf.variable_scope("model", use_resource=resource):
        kernel = tf.get_variable("kernel", initializer=np.float32([[0.5], [-0.5]]))
        bias = tf.get_variable("bias", initializer=np.float32([0.3]))
        table = tf.get_variable("table", initializer=np.float32([[0.1], [0.2], [0.3], [0.4]]))
    x = tf.constant(np.linspace(-1, 1, 8).reshape(4, 2), tf.float32)
    rows = tf.nn.embedding_lookup(table, [0, 2, 2, 0])
    loss = tf.matmul(x, kernel) + bias + rows - tf.reduce_sum(x, 1, keepdims=True) - 1.0
    return tf.reduce_mean(tf.square(loss)), [kernel, bias, table]


def train(tf, make, resource, apply=None):
    with tf.Graph().as_default(), tf.Session() as session:
        loss, variables = model(tf, resource)
        optimizer = make()
        if apply:
            op = apply(optimizer, loss, variables)
        else:
            op = optimizer.minimize(loss, tf.train.get_or_create_global_step())
        session.run(tf.global_variables_initializer())
        losses = []
        for _ in range(4):
            losses.append(float(session.run(loss)))
            session.run(op)
        return {
            "losses": losses,
            "variables": {v.op.name: facts.plain(session.run(v)) for v in tf.global_variables()},
            "slots": sorted(optimizer.get_slot_names()) if not apply else None,
        }


def moving(tf, folder):
    opt = tf.contrib.opt
    found = {}
    for sequential in (True, False):
        with tf.Graph().as_default(), tf.Session() as session:
            with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
                parted = tf.get_variable("w", [2], initializer=tf.ones_initializer())
            loss, variables = model(tf, False)
            loss += tf.reduce_sum(tf.square(parted))
            optimizer = opt.MovingAverageOptimizer(
                tf.train.GradientDescentOptimizer(0.1), 0.5, sequential_update=sequential
            )
            early = facts.error(optimizer.swapping_saver)[0]
            op = optimizer.minimize(loss)
            session.run(tf.global_variables_initializer())
            if not sequential:
                found["wrong"] = facts.error(optimizer.swapping_saver, variables[:1])[0]
                continue
            for _ in range(3):
                session.run(op)
            path = os.path.join(folder, "model")
            optimizer.swapping_saver().save(session, path, write_meta_graph=False)
            found.update(
                {
                    "early": early,
                    "variables": facts.variables(folder),
                    "values": facts.values(folder),
                    "trained": facts.plain(session.run(variables)),
                }
            )
    return found


def gradients_of(tf, variables):
    rows = tf.IndexedSlices(tf.constant([[0.5], [-1.5]]), tf.constant([1, 3]), tf.constant([4, 1]))
    gradients = [tf.constant([[0.3], [-0.7]]), tf.constant([2.0]), rows]
    return list(zip(gradients, variables))


def run(tf, folder):
    opt = tf.contrib.opt

    def constant_gradients(optimizer, loss, variables, **more):
        return optimizer.apply_gradients(gradients_of(tf, variables), **more)

    cases = {
        "lazy": lambda: opt.LazyAdamOptimizer(0.1),
        "nadam": lambda: opt.NadamOptimizer(0.1),
        "adamax": lambda: opt.AdaMaxOptimizer(0.1),
        "adamw": lambda: opt.AdamWOptimizer(0.05, 0.1),
        "momentumw": lambda: opt.MomentumWOptimizer(0.05, 0.1, 0.9, use_nesterov=True),
        "extended": lambda: opt.extend_with_decoupled_weight_decay(tf.train.AdagradOptimizer)(
            weight_decay=0.05, learning_rate=0.1
        ),
        "lars": lambda: opt.LARSOptimizer(0.5, weight_decay=0.01, eeta=0.1),
        "lars skip": lambda: opt.LARSOptimizer(0.5, skip_list=["bias"], use_nesterov=True),
    }
    found = {}
    for name in sorted(cases):
        # With decay the original computes gradients before or after it, as it happens.
        apply = constant_gradients if name in ("adamw", "momentumw", "extended") else None
        for resource in (False, True):
            found["%s %s" % (name, resource)] = train(tf, cases[name], resource, apply)

    def some(optimizer, loss, variables):
        return constant_gradients(optimizer, loss, variables, decay_var_list=variables[:1])

    def minimized(optimizer, loss, variables):
        optimizer.compute_gradients = lambda *_, **__: gradients_of(tf, variables)
        return optimizer.minimize(loss, decay_var_list=variables[:1])

    found["some"] = train(tf, cases["adamw"], True, some)
    found["minimized"] = train(tf, cases["adamw"], True, minimized)
    found["moving"] = moving(tf, os.path.join(folder, "moving"))
    found["errors"] = [
        facts.error(opt.LARSOptimizer, 0.1, momentum=-1.0)[0],
        facts.error(opt.LARSOptimizer, 0.1, weight_decay=-1.0)[0],
    ]
    return found
