"""contrib.layers: tensors and variables of layers, with their names and collections."""

import zlib

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def images(tf):
    values = np.random.RandomState(3).standard_normal((2, 6, 6, 3)) + 0.3
    return tf.constant(values, tf.float32)


def vectors(tf):
    return tf.constant(np.random.RandomState(4).standard_normal((4, 5)) + 0.2, tf.float32)


def values_by_name(variables):
    feeds = []
    for variable in variables:
        seed = np.random.RandomState(zlib.crc32(variable.op.name.encode()))
        value = seed.standard_normal(variable.shape.as_list()) / 4
        if "variance" in variable.op.name or "stddev" in variable.op.name:
            value = np.abs(value) + 0.5
        feeds.append((variable, value))
    return feeds


def collections(tf, names):
    keys = tf.GraphKeys
    found = {}
    for name in (
        keys.GLOBAL_VARIABLES,
        keys.TRAINABLE_VARIABLES,
        keys.MODEL_VARIABLES,
        keys.REGULARIZATION_LOSSES,
    ) + tuple(names):
        found[name] = sorted(each.name for each in tf.get_collection(name))
    found["updates"] = len(tf.get_collection(keys.UPDATE_OPS))
    return found


def seen(tf, build, names=(), op_names=True, resource=None):
    """Builds in a graph of its own, sets the variables by their names, computes."""
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope(tf.get_variable_scope(), use_resource=resource):
            outputs = build()
        found = {
            "shapes": [each.shape.as_list() for each in tf.contrib.framework.nest.flatten(outputs)],
            "collections": collections(tf, names),
        }
        if op_names:
            found["names"] = [each.name for each in tf.contrib.framework.nest.flatten(outputs)]
        session.run(tf.global_variables_initializer())
        for variable, value in values_by_name(tf.global_variables()):
            variable.load(value, session)
        losses = tf.losses.get_regularization_losses()
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        found["values"] = facts.plain(session.run(outputs))
        found["losses"] = facts.plain(sorted(session.run(losses)))
        session.run(updates)
        moving = [v for v in tf.global_variables() if "moving" in v.op.name]
        found["moving"] = facts.plain(session.run({v.op.name: v for v in moving}))
    return found


def dense(tf):
    layers = tf.contrib.layers
    regularizer = layers.l2_regularizer(0.1)

    def plain():
        net = layers.fully_connected(vectors(tf), 4, weights_regularizer=regularizer)
        net = layers.fully_connected(net, 3, normalizer_fn=layers.batch_norm)
        return layers.linear(net, 2, scope="logits", biases_regularizer=layers.l1_regularizer(0.2))

    def collected():
        with tf.variable_scope("outer"):
            net = layers.fully_connected(
                vectors(tf),
                3,
                variables_collections={"weights": ["mine"], "biases": ["yours"]},
                outputs_collections="ends",
                scope="one",
            )
            again = layers.fully_connected(vectors(tf), 3, scope="one", reuse=True)
            return layers.relu6(net, 2), again

    def deep():
        net = layers.fully_connected(tf.reshape(vectors(tf), [2, 2, 5]), 3, biases_initializer=None)
        return layers.stack(net, layers.fully_connected, [3, [2]], scope="stacked")

    def legacy():
        net = layers.legacy_fully_connected(vectors(tf), 3, activation_fn=tf.nn.relu)
        layers.apply_regularization(regularizer)
        return layers.legacy_linear(net, 2, name="end", weight_regularizer=regularizer)

    def partitioned():
        with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
            return layers.fully_connected(
                vectors(tf), 4, weights_regularizer=regularizer, variables_collections=["mine"]
            )

    return {
        "plain": seen(tf, plain),
        "collected": seen(tf, collected, ("mine", "yours", "ends")),
        "deep": seen(tf, deep),
        "legacy": seen(tf, legacy, (tf.GraphKeys.WEIGHTS, tf.GraphKeys.BIASES, "activations")),
        "partitioned": seen(tf, partitioned, ("mine",), op_names=False),
    }


def convolutions(tf):
    layers = tf.contrib.layers
    framework = tf.contrib.framework

    def plain():
        net = layers.conv2d(images(tf), 4, 3, stride=2, outputs_collections="ends")
        return layers.conv2d(net, 2, [1, 2], normalizer_fn=layers.batch_norm, padding="VALID")

    def scoped():
        regularizer = layers.l2_regularizer(0.3)
        with framework.arg_scope(
            [layers.conv2d, layers.separable_conv2d], weights_regularizer=regularizer, rate=2
        ):
            with framework.arg_scope([layers.conv2d], activation_fn=tf.nn.elu):
                net = layers.conv2d(images(tf), 4, 3, scope="first")
            net = layers.separable_conv2d(net, 3, 3, depth_multiplier=2)
            return layers.separable_conv2d(net, None, [3, 3], scope="depthwise")

    def others():
        net = images(tf)
        transposed = layers.conv2d_transpose(net, 2, 3, stride=2)
        plane = layers.conv2d_in_plane(net, 2)
        one = layers.conv1d(net[:, 0], 2, 3)
        three = layers.conv3d(tf.expand_dims(net, -1), 2, 2, stride=2)
        back = layers.conv3d_transpose(three, 1, 2, stride=2)
        repeated = layers.repeat(net, 2, layers.conv2d, 2, [3, 3])
        return transposed, plane, one, three, back, repeated, layers.bias_add(net)

    return {
        "plain": seen(tf, plain, ("ends",)),
        "scoped": seen(tf, scoped),
        "others": seen(tf, others),
    }


def normalizations(tf):
    layers = tf.contrib.layers
    found = {}
    cases = {
        "plain": {},
        "scaled": {"scale": True, "decay": 0.5, "activation_fn": tf.nn.relu},
        "evaluation": {"is_training": False, "scale": True},
        "in place": {"updates_collections": None, "decay": 0.5},
        "own collection": {"updates_collections": "mine", "decay": 0.5},
        "unfused": {"fused": False, "decay": 0.5, "center": False},
        "unfused in place": {"fused": False, "updates_collections": None, "decay": 0.5},
        "debiased": {"zero_debias_moving_mean": True, "decay": 0.9},
        "weights": {"batch_weights": [0.5, 1.5], "decay": 0.9},
        "collections": {"variables_collections": ["variables"], "outputs_collections": ["ends"]},
        "regularized": {"scale": True, "param_regularizers": {"beta": layers.l2_regularizer(0.1)}},
        "started": {"param_initializers": {"moving_mean": tf.constant_initializer(2.0)}},
    }
    for name in sorted(cases):

        def batch(arguments=cases[name]):
            return layers.batch_norm(images(tf), **arguments)

        # A branch is an operation of its own where the original's had two.
        found[name] = seen(tf, batch, ("mine", "variables", "ends"), op_names=False)

    def vector():
        return layers.batch_norm(vectors(tf), decay=0.9, scope="flat")

    def unknown():
        training = tf.placeholder_with_default(True, [])
        return layers.batch_norm(images(tf), is_training=training, scope="unknown")

    def unknown_in_place():
        training = tf.placeholder_with_default(True, [])
        return layers.batch_norm(images(tf), is_training=training, updates_collections=None)

    def others():
        net = images(tf)
        return (
            layers.layer_norm(vectors(tf)),
            layers.layer_norm(net, begin_norm_axis=2, begin_params_axis=2, scale=False),
            layers.instance_norm(net),
            layers.group_norm(net, groups=3, activation_fn=tf.nn.relu),
            layers.group_norm(net, groups=1, mean_close_to_zero=True),
            layers.unit_norm(net, 1),
        )

    def resource():
        net = layers.batch_norm(images(tf), updates_collections=None, decay=0.5)
        net = layers.batch_norm(net, zero_debias_moving_mean=True, decay=0.5)
        return layers.batch_norm(net, fused=False, updates_collections=None, decay=0.5)

    found["resource"] = seen(tf, resource, op_names=False, resource=True)
    found["vector"] = seen(tf, vector, op_names=False)
    found["unknown"] = seen(tf, unknown, op_names=False)
    found["unknown in place"] = seen(tf, unknown_in_place, op_names=False)
    found["others"] = seen(tf, others, op_names=False)
    return found


def shapes(tf):
    layers = tf.contrib.layers

    def pooled():
        net = images(tf)
        volume = tf.expand_dims(net, -1)
        return (
            layers.max_pool2d(net, 2),
            layers.avg_pool2d(net, [3, 2], stride=[1, 2], padding="SAME", scope="mine"),
            layers.max_pool3d(volume, 2),
            layers.avg_pool3d(volume, [2, 1, 1], stride=1),
        )

    def shaped():
        net = images(tf)
        return (
            layers.flatten(net, outputs_collections="ends"),
            layers.dropout(net, is_training=False),
            layers.one_hot_encoding(tf.constant([1, 0, 2]), 3, on_value=2.0),
            layers.softmax(net),
            layers.spatial_softmax(net, temperature=0.5),
            layers.maxout(net, 1),
            layers.images_to_sequence(net),
            layers.sequence_to_images(layers.images_to_sequence(net), 6),
            layers.embed_sequence(tf.constant([[1, 2], [0, 3]]), 5, 3),
            layers.embed_sequence(tf.constant([[1, 1]]), 5, 3, unique=True, scope="unique"),
            layers.bow_encoder(tf.constant([[1, 2], [0, 0]]), 5, 3),
        )

    def dropped():
        return layers.dropout(tf.ones([4, 5]), keep_prob=0.6, seed=5)

    def sparse():
        found = layers.dense_to_sparse(tf.constant([[0, 2], [3, 0]]))
        return found.indices, found.values, found.dense_shape

    return {
        "pooled": seen(tf, pooled),
        "shaped": seen(tf, shaped, ("ends",)),
        "dropped": seen(tf, dropped, op_names=False),
        "sparse": seen(tf, sparse),
    }


def initializers(tf):
    layers = tf.contrib.layers
    made = {
        "xavier": layers.xavier_initializer(seed=3),
        "xavier normal": layers.xavier_initializer(uniform=False, seed=3),
        "he": layers.variance_scaling_initializer(seed=3),
        "out": layers.variance_scaling_initializer(1.5, "FAN_OUT", True, seed=3),
    }
    with tf.Graph().as_default(), tf.Session() as session:
        values = {
            name: [made[name](shape) for shape in ([3], [3, 2], [2, 2, 3, 2])] for name in made
        }
        return facts.plain(session.run(values))


def errors(tf):
    layers = tf.contrib.layers
    wrong = {
        "units": lambda: layers.fully_connected(vectors(tf), 2.5),
        "rank": lambda: layers.fully_connected(tf.constant([1.0]), 2),
        "size": lambda: layers.fully_connected(tf.placeholder(tf.float32, [2, None]), 2),
        "format": lambda: layers.conv2d(images(tf), 2, 3, data_format="HWC"),
        "conv rank": lambda: layers.conv2d(vectors(tf), 2, 3),
        "norm format": lambda: layers.batch_norm(images(tf), data_format="HWC"),
        "norm rank": lambda: layers.batch_norm(tf.placeholder(tf.float32)),
        "l1": lambda: layers.l1_regularizer(1),
        "l2": lambda: layers.l2_regularizer(-0.5),
        "no weights": lambda: layers.apply_regularization(layers.l2_regularizer(0.1)),
        "initializer": lambda: layers.variance_scaling_initializer(mode="IN"),
        "stack": lambda: layers.stack(vectors(tf), layers.fully_connected, 3),
        "groups": lambda: layers.group_norm(images(tf), groups=2),
        "embed": lambda: layers.embed_sequence(tf.constant([[1]])),
        "pool": lambda: layers.max_pool2d(images(tf), 2, data_format="HWC"),
        "pool rank": lambda: layers.max_pool2d(vectors(tf), 2),
        "channels": lambda: layers.batch_norm(unknown()),
        "fused channels": lambda: layers.batch_norm(unknown(), updates_collections=None),
        "layer": lambda: layers.layer_norm(unknown()),
        "instance": lambda: layers.instance_norm(unknown()),
        "group": lambda: layers.group_norm(unknown()),
        "bias": lambda: layers.bias_add(unknown()),
        "plane": lambda: layers.conv2d_in_plane(unknown(), 3),
        "softmax": lambda: layers.spatial_softmax(unknown()),
        "legacy": lambda: layers.legacy_linear(unknown(), 3),
        "unit": lambda: layers.unit_norm(vectors(tf), 3),
        "maxout": lambda: layers.maxout(images(tf), 2),
    }

    def unknown():
        return tf.placeholder(tf.float32, [2, 3, 3, None])

    found = {}
    for name in sorted(wrong):
        with tf.Graph().as_default():
            raised = facts.error(wrong[name])
            found[name] = raised and raised[0]
    return found


def run(tf, folder):
    return {
        "dense": dense(tf),
        "convolutions": convolutions(tf),
        "normalizations": normalizations(tf),
        "shapes": shapes(tf),
        "initializers": initializers(tf),
        "errors": errors(tf),
    }
