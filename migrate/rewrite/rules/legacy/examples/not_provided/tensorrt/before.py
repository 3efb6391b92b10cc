import tensorflow.compat.v1 as tf
def f():
    return tf.contrib.tensorrt.create_inference_graph()
x = 1
