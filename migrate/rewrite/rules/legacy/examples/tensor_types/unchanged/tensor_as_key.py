import tensorflow.compat.v1 as tf
kinds = {tf.Tensor: 1}
x = int in (int, tf.Tensor), kinds[tf.Tensor]
