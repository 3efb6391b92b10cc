# migrate rewrite --unsafe --api=v2
import tensorflow as tf
from modern import porting
import tf_keras
v1 = tf.compat.v1
def input_fn():
    data = tf.data.Dataset.from_tensor_slices(({'a': [[1.], [2.], [3.]]}, [2., 3., 5.]))
    return data.batch(2).repeat(3)
class Model(tf_keras.Model):
    """The Keras model of model_fn."""

    def __init__(self, params):
        super().__init__(autocast=False)
        self.params = params
        self.dense = tf_keras.layers.Dense(params['units'], kernel_initializer='ones', name="dense")
        self.dropout = tf_keras.layers.Dropout(0.0, name="dropout")
        self.eval_metrics = {
            "loss": tf_keras.metrics.Mean(name="loss"),
            "mae": tf_keras.metrics.MeanAbsoluteError(name="mae"),
        }

    def call(self, features, training=False):
        # a line
        net = self.dense(features['a'])
        net = self.dropout(net, training=training)
        out = tf.reduce_sum(net, axis=1)
        return out

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):
        labels = y
        out = y_pred
        loss = tf.reduce_mean((out - labels) ** 2)
        self.eval_metrics["loss"].update_state(loss)
        return loss

    def compute_metrics(self, x, y, y_pred, sample_weight):
        labels = y
        out = y_pred
        self.eval_metrics["mae"].update_state(tf.reshape(labels, [-1, 1]), tf.reshape(out, [-1, 1]))
        return self.get_metrics_result()

    def predict_step(self, data):
        features, _, _ = tf_keras.utils.unpack_x_y_sample_weight(data)
        out = self(features, training=False)
        return {'out': out}

    def make_optimizer(self):
        return tf_keras.optimizers.SGD(learning_rate=0.1)
def main():
    job = Model({'units': 2})
    job.compile(job.make_optimizer())
    porting.restore(job, 'model', save_steps=2)
    job.fit(input_fn().take(3), callbacks=porting.callbacks(job), verbose=2)
    if int(job.optimizer.iterations.numpy()) < 4:
        job.fit(input_fn().take(4 - int(job.optimizer.iterations.numpy())), callbacks=porting.callbacks(job), verbose=2)
    return dict(job.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(job.optimizer.iterations.numpy())), list(porting.predict(job, input_fn()))
x = main()
