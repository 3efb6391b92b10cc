"""The one place that knows which TensorFlow there is."""
try:
  import tensorflow.compat.v1 as tf1
  tf1.disable_v2_behavior()
except ImportError:
  import tensorflow as tf1

layers = tf1.layers
Estimator = tf1.estimator.Estimator
_module = getattr(tf1, "estimator")
RunConfig = _module.RunConfig
