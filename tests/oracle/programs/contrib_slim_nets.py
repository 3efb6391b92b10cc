"""contrib.slim.nets: variables, end points, small forward passes."""

import importlib

import numpy as np

from tests.oracle import facts
from tests.oracle.programs.contrib_layers import values_by_name

APIS = ("contrib",)


def nets(tf, name):
    ours = tf.contrib.__name__ == "legacy.contrib"
    folder = "legacy.contrib.slim.nets." if ours else "tensorflow.contrib.slim.python.slim.nets."
    return importlib.import_module(folder + name)


def described(tf, build, scope):
    with tf.Graph().as_default(), tf.contrib.slim.arg_scope(scope):
        net, end_points = build()
        variables = tf.global_variables()
        return {
            "net": [net.name, net.shape.as_list()],
            "end points": {key: end_points[key].shape.as_list() for key in end_points},
            "variables": {v.op.name: v.shape.as_list() for v in variables},
            "losses": len(tf.losses.get_regularization_losses()),
            "updates": len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)),
            "moving": len(tf.get_collection("moving_vars")),
        }


def small_resnet(tf, version, **more):
    module = nets(tf, "resnet_v%d" % version)
    utils = nets(tf, "resnet_utils")
    images = np.random.RandomState(1).standard_normal((1, 16, 16, 3)).astype(np.float32)
    block = utils.Block if version == 1 else None
    with tf.Graph().as_default(), tf.Session() as session:
        make = getattr(module, "resnet_v%d_block" % version)
        blocks = [make("block1", 2, 2, 2), make("block2", 3, 1, 1)]
        if block:
            units = [{"depth": 8, "depth_bottleneck": 2, "stride": 2}]
            blocks.append(block("block3", module.bottleneck, units))
        with tf.contrib.slim.arg_scope(module.resnet_arg_scope()):
            build = getattr(module, "resnet_v%d" % version)
            net, end_points = build(tf.constant(images), blocks, 3, is_training=False, **more)
        session.run(tf.global_variables_initializer())
        for variable, value in values_by_name(tf.global_variables()):
            variable.load(value, session)
        return [sorted(end_points), facts.plain(session.run(net))]


def run(tf, folder):
    def images(*shape):
        return tf.placeholder(tf.float32, (2,) + shape + (3,))

    inception = nets(tf, "inception_v3")
    vgg = nets(tf, "vgg")
    one = nets(tf, "resnet_v1")
    two = nets(tf, "resnet_v2")
    found = {
        "inception": described(
            tf,
            lambda: inception.inception_v3(images(299, 299), 7, depth_multiplier=0.25),
            inception.inception_v3_arg_scope(),
        ),
        "vgg": described(
            tf, lambda: vgg.vgg_16(images(224, 224), 5, is_training=False), vgg.vgg_arg_scope()
        ),
        "resnet v1": described(
            tf, lambda: one.resnet_v1_50(images(64, 64), 5), one.resnet_arg_scope()
        ),
        "small 1": small_resnet(tf, 1),
        "small 2": small_resnet(tf, 2, output_stride=4),
        "sizes": [
            inception.inception_v3.default_image_size,
            vgg.vgg_16.default_image_size,
            one.resnet_v1.default_image_size,
        ],
    }
    wrong = [
        lambda: inception.inception_v3_base(images(99, 99), "None"),
        lambda: inception.inception_v3(images(99, 99), depth_multiplier=0),
        lambda: one.resnet_v1_50(images(64, 64), output_stride=7),
        lambda: two.resnet_v2_50(images(64, 64), output_stride=6),
    ]
    found["errors"] = [facts.error(call)[0] for call in wrong]
    return found
