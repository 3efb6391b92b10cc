"""Tests that each run reports names without a replacement, also under an alias."""

import textwrap

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

PROGRAM = """
    import tensorflow as tf
    tfd = tf.contrib.distributions
    def prior():
        return tfd.MultivariateNormalDiag([0.0], [1.0]), tfd.Normal(0.0, 1.0)
    def posterior():
        return tf.contrib.distributions.Independent(prior(), 1)
    def by_name(name):
        return getattr(tfd, name)
    """


def said(text):
    return [
        (made.rule.name, made.reason.partition(" is not provided: ")[0])
        for made in fixed_point.rewrite(text, tools.TO_LEGACY).suggestions
    ]


def test_what_is_not_provided_is_said_in_each_run():
    expected = [
        ("not_provided", "tf.contrib.distributions.MultivariateNormalDiag"),
        ("not_provided", "tf.contrib.distributions.Independent"),
    ]
    text = textwrap.dedent(PROGRAM)
    assert said(text) == expected
    written = fixed_point.rewrite(text, tools.TO_LEGACY).text
    assert written.count("# migrate: ") == 2
    assert said(written) == expected
    assert fixed_point.rewrite(written, tools.TO_LEGACY).text == written


def test_what_is_provided_is_not_said():
    tools.check_noop(
        """
        import legacy
        from legacy import contrib as tf_contrib
        from legacy.compat.v1 import estimator as tf_estimator
        legacy.install(api="v1")
        cells = tf_contrib.rnn
        x = cells.LSTMCell.call, tf_contrib.slim.conv2d, tf_estimator.ModeKeys.TRAIN
        """,
        tools.TO_LEGACY,
    )


def test_a_module_with_provided_parts_leaves_no_comment():
    tools.check_transformed(
        """
        import tensorflow as tf
        import tensorflow.examples.tutorials.mnist as mnist
        x = mnist.input_data.read_data_sets, tf.zeros
        """,
        """
        from legacy import contrib as tf_contrib
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        x = tf_contrib.learn.datasets.mnist.read_data_sets, tf.zeros
        """,
        tools.TO_LEGACY,
    )
