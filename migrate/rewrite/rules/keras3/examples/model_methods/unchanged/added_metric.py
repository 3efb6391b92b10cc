import tf_keras as keras
class Layer(keras.layers.Layer):
    def call(self, x):
        self.add_metric(x, name="x")
        return x
