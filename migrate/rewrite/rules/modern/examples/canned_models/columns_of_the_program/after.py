# migrate rewrite --api=v2
import tensorflow as tf
from modern import porting
from modern.porting import column_models
from modern.porting import heads
import tf_keras
WORDS = {'w': ['x', 'y'], 'a': None}
def input_fn():
    features = {'a': [.5, 1.5, 2.5], 'w': ['x', 'y', 'z']}
    return tf.data.Dataset.from_tensor_slices((features, [0, 1, 1])).batch(2).repeat(3)
def make_columns():
    columns = []
    for name, words in WORDS.items():
        if words is None:
            columns.append(tf.feature_column.numeric_column(name))
        else:
            word = tf.feature_column.categorical_column_with_vocabulary_list(name, words)
            columns.append(tf.feature_column.embedding_column(word, 3))
    return columns
job = heads.BinaryClassifier(column_models.Deep(make_columns(), [4], dropout=0.1))
job.compile(tf_keras.optimizers.legacy.Adagrad())
job.fit(input_fn(), callbacks=porting.callbacks(job), verbose=2)
x = sorted(dict(job.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(job.optimizer.iterations.numpy())))
y = [len(one['probabilities']) for one in porting.predict(job, input_fn())]
