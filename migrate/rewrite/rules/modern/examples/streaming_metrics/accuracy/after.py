from legacy import contrib
import tensorflow.compat.v1 as tf
with tf.Graph().as_default(), tf.Session() as session:
    metrics = contrib.metrics
    labels, classes = tf.constant([1, 0, 1, 1]), tf.constant([1, 1, 1, 0])
    both = (
        tf.metrics.accuracy(predictions=classes, labels=labels, weights=tf.constant([1., 1., 2., 1.])),
        tf.metrics.percentage_below(values=[1., 2., 3.], threshold=2.5, name='below'),
        tf.metrics.precision(labels=labels, predictions=classes),
    )
    session.run(tf.local_variables_initializer())
    x = [float(value) for value in session.run([update for _, update in both])]
y = 0
