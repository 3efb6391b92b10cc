# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
from migrate import bridge
from migrate.bridge import as_estimator
column = tf.feature_column
number = column.numeric_column('a')
def input_fn():
    features = {'a': [.5, 1.5, 2.5]}
    return tf.data.Dataset.from_tensor_slices((features, [0., 1., 1.])).batch(2).repeat(3)
def mean(labels, predictions):
    metric = tf.keras.metrics.Mean()
    metric.update_state(predictions['predictions'])
    return {'mean': metric}
# migrate: Keras trains the unchanged model_fn (python -m migrate recipes canned_estimators)
job = bridge.KerasModelFn(tf_estimator.LinearRegressor(feature_columns=[number]).model_fn)
job = as_estimator.add_metrics(job, mean)
job.fit(input_fn(), callbacks=as_estimator.callbacks(job), verbose=2)
x = dict(job.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(job.global_step.numpy()))
