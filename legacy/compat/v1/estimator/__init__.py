"""The tf.compat.v1.estimator API, the tf.estimator of TensorFlow 1.

    from legacy.compat.v1 import estimator

    classifier = estimator.DNNClassifier([64, 32], feature_columns, optimizer="Adagrad")

As in the original, classes that both APIs share, such as `RunConfig`, are the same objects in both.
Other classes, such as `DNNClassifier`, differ.

Files in reading order:
experimental  collects the names of tf.compat.v1.estimator.experimental
"""

from legacy.compat.v1.estimator import experimental as _experimental
from legacy.estimator import *  # noqa: F403
from legacy.estimator import __all__ as _v2_names
from legacy.estimator import inputs as inputs
from legacy.estimator import tpu as tpu
from legacy.estimator.canned.v1.baseline import BaselineClassifier as BaselineClassifier
from legacy.estimator.canned.v1.baseline import BaselineEstimator as BaselineEstimator
from legacy.estimator.canned.v1.baseline import BaselineRegressor as BaselineRegressor
from legacy.estimator.canned.v1.dnn import DNNClassifier as DNNClassifier
from legacy.estimator.canned.v1.dnn import DNNEstimator as DNNEstimator
from legacy.estimator.canned.v1.dnn import DNNRegressor as DNNRegressor
from legacy.estimator.canned.v1.dnn_linear_combined import (
    DNNLinearCombinedClassifier as DNNLinearCombinedClassifier,
)
from legacy.estimator.canned.v1.dnn_linear_combined import (
    DNNLinearCombinedEstimator as DNNLinearCombinedEstimator,
)
from legacy.estimator.canned.v1.dnn_linear_combined import (
    DNNLinearCombinedRegressor as DNNLinearCombinedRegressor,
)
from legacy.estimator.canned.v1.linear import LinearClassifier as LinearClassifier
from legacy.estimator.canned.v1.linear import LinearEstimator as LinearEstimator
from legacy.estimator.canned.v1.linear import LinearRegressor as LinearRegressor
from legacy.estimator.canned.v1.parse_example_spec import (
    classifier_parse_example_spec as classifier_parse_example_spec,
)
from legacy.estimator.canned.v1.parse_example_spec import (
    regressor_parse_example_spec as regressor_parse_example_spec,
)
from legacy.estimator.estimator import Estimator as Estimator

experimental = _experimental  # Replaces the v2 API's `experimental`, which `import *` brings.

__all__ = [*_v2_names, "inputs", "tpu"]
