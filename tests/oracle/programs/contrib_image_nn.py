"""contrib.image and contrib.nn: transforms, losses, dropout."""

import math

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def images(tf):
    image = tf.contrib.image
    pixels = tf.constant(np.random.RandomState(2).randint(0, 255, (2, 5, 4, 2)), tf.float32)
    found = {
        "rotated": image.rotate(pixels, math.pi / 6, "BILINEAR"),
        "each": image.rotate(pixels, [0.5, -0.2]),
        "one": image.rotate(pixels[0], 0.3),
        "flat": image.rotate(tf.cast(pixels[0, :, :, 0], tf.uint8), math.pi / 2),
        "moved": image.translate(pixels, [1, -2]),
        "moved each": image.translate(pixels, [[0.5, 0], [0, 1]], interpolation="BILINEAR"),
        "transformed": image.transform(pixels, [1, 0.2, 0, 0, 1, 0, 0, 0], output_shape=[3, 3]),
        "composed": image.compose_transforms(
            image.translations_to_projective_transforms([1, 2]),
            image.angles_to_projective_transforms([0.1], 5.0, 4.0),
        ),
        "gradient": tf.gradients(image.rotate(pixels, 0.5, "BILINEAR"), pixels)[0],
    }
    with tf.Session() as session:
        found = facts.plain(session.run(found))
    found["errors"] = [
        facts.error(image.rotate, tf.constant("a"), 1.0)[0],
        facts.error(image.rotate, tf.zeros([3]), 1.0)[0],
        facts.error(image.rotate, pixels, [[1.0]])[0],
        facts.error(image.translate, pixels, 1.0)[0],
        facts.error(image.transform, pixels, [[[1.0] * 8]])[0],
        facts.error(image.transform, pixels, [1.0] * 8, "NEAREST", [1, 2, 3])[0],
        facts.error(image.flat_transforms_to_matrices, 1.0)[0],
        facts.error(image.compose_transforms)[0],
    ]
    return found


def functions(tf):
    nn = tf.contrib.nn
    logits = tf.constant([[1.0, -2.0], [0.5, 0.2]])
    labels = tf.constant([[1.0, 0.0], [0.3, 0.7]])
    x = tf.constant([-2.0, 0.1, 3.0])
    softplus = nn.scaled_softplus(x, 0.5)
    weights, inputs = tf.constant(np.linspace(-1, 1, 20).reshape(10, 2), tf.float32), logits
    sampled = (
        tf.constant([3, 5, 1], tf.int64),
        tf.constant([[0.1], [0.2]]),
        tf.constant([0.3, 0.1, 0.2]),
    )
    found = {
        "softmax": nn.deprecated_flipped_softmax_cross_entropy_with_logits(logits, labels),
        "sparse": nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, [0, 1]),
        "sigmoid": nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, labels),
        "kept": nn.alpha_dropout(x, 1.0),
        "dropped": nn.alpha_dropout(tf.ones([4, 5]), 0.6, seed=3),
        "softplus": softplus,
        "clipped": nn.scaled_softplus(x, 0.5, clip=2.0),
        "gradient": tf.gradients(softplus, x)[0],
        "second": nn.nth_element(tf.constant([3.0, 1.0, 2.0]), 1),
        "sampled": nn.sampled_sparse_softmax_loss(
            weights, tf.zeros([10]), tf.constant([[1], [2]], tf.int64), inputs, 3, 10, sampled
        ),
    }
    with tf.Session() as session:
        found = facts.plain(session.run(found))
    found["error"] = facts.error(nn.alpha_dropout, x, 0.0)[0]
    return found


def run(tf, folder):
    return {"images": images(tf), "functions": functions(tf)}
