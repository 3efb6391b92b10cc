"""The beginning of programs with an Estimator, and the messages of a rule on them."""

from tests.migrate.rewrite import tools

ESTIMATORS = tools.rule("modern", "estimators")
HEAD = """\
from legacy import estimator as tf_estimator
import tensorflow as tf
def input_fn():
    return tf.data.Dataset.range(3)
"""


def said(text, **context):
    outcome = tools.check_noop(HEAD + text, ESTIMATORS, **{"api": "v2", **context})
    (made,) = outcome.suggestions
    return made
