# migrate rewrite --unsafe --api=v2
import tensorflow as tf
from modern import porting
from modern.porting import heads
import tf_keras
v1 = tf.compat.v1
def input_fn():
    data = tf.data.Dataset.from_tensor_slices(({'a': [[1.], [2.], [3.]]}, [0, 1, 1]))
    return data.batch(2).repeat(3)
class Model(heads.BinaryClassifier):
    """The Keras model of model_fn."""

    def __init__(self, params):
        super().__init__(pr_summation="trapezoidal")
        self.params = params
        self.dense = tf_keras.layers.Dense(
            params['units'],
            tf.nn.relu,
            kernel_initializer='ones',
            name="dense",
        )
        self.dense_1 = tf_keras.layers.Dense(1, kernel_initializer='ones', name="dense_1")

    def call(self, features, training=False):
        net = self.dense(features['a'])
        logits = self.dense_1(net)
        return logits

    def make_optimizer(self):
        return tf_keras.optimizers.SGD(learning_rate=0.1)
def main():
    job = Model({'units': 2})
    job.compile(job.make_optimizer())
    porting.restore(job, 'model', save_secs=600)
    job.fit(input_fn().take(3), callbacks=porting.callbacks(job), verbose=2)
    return dict(job.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(job.optimizer.iterations.numpy())), list(porting.predict(job, input_fn()))
x = main()
