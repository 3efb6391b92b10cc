import tensorflow.compat.v1 as tf
def f():
    # migrate: tf.contrib.tensorrt.create_inference_graph is not provided: TensorRT conversion left
    #     contrib with TensorFlow 1.14; call tf.experimental.tensorrt.Converter on a SavedModel.
    return tf.contrib.tensorrt.create_inference_graph()
x = 1
