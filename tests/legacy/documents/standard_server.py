"""The document's standalone client mode: the program in each task of the cluster."""

import tensorflow as tf

tf.contrib.distribute.run_standard_tensorflow_server().join()
