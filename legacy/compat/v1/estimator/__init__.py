"""The tf.compat.v1.estimator API: tf.estimator as TensorFlow 1 had it.

    from legacy.compat.v1 import estimator

    classifier = estimator.DNNClassifier([64, 32], feature_columns, optimizer="Adagrad")

What both APIs have is the same object in both, as in the original.
"""

from legacy.estimator import *  # noqa: F403
from legacy.estimator import __all__ as _v2_names
from legacy.estimator.estimator import Estimator as Estimator

__all__ = [*_v2_names]
