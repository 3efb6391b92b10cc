# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
import tensorflow as tf
from migrate import bridge
from migrate.bridge import as_estimator
column = tf.feature_column
number = column.numeric_column('a')
word = column.categorical_column_with_vocabulary_list('w', ['x', 'y'])
wide = [column.bucketized_column(number, [1., 2.]), word]
deep = [number, column.embedding_column(word, 2)]
def input_fn():
    features = {'a': [.5, 1.5, 2.5], 'w': ['x', 'y', 'z']}
    return tf.data.Dataset.from_tensor_slices((features, [0, 1, 1])).batch(2).repeat(3)
config = tf_estimator.RunConfig('model', tf_random_seed=1)
first = tf_estimator.DNNClassifier([3], deep, config=config)  # migrate: ignore
first.train(input_fn, steps=1)
# migrate: Keras trains the unchanged model_fn (python -m migrate recipes canned_estimators)
job = bridge.KerasModelFn(tf_estimator.DNNClassifier(
    [3], deep, './model').model_fn)
as_estimator.restore(job, './model', save_secs=600)
job.fit(input_fn().take(4), callbacks=as_estimator.callbacks(job), verbose=2)
x = job.evaluate(input_fn(), verbose=0, return_dict=True)['average_loss']
y = [one['probabilities'] for one in as_estimator.predict(job, input_fn())]
