import tensorflow.compat.v1 as tf
print("TensorFlow", tf.__version__.split("-")[0])
x = "v" + tf.__version__
version = tf.VERSION
print(f'{version} of {tf.__version__}')
