"""Random augmentation and an unseeded shuffle: RunConfig's seed alone makes the run repeatable."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(6)
IMAGES = random.rand(40, 6, 6, 1).astype(np.float32)
LABELS = random.randint(0, 3, 40).astype(np.int32)


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    image = image + tf.random_normal([6, 6, 1], stddev=0.05)
    return image, label


def train_input_fn():
    dataset = tf.data.Dataset.from_tensor_slices((IMAGES, LABELS))
    dataset = dataset.apply(tf.contrib.data.shuffle_and_repeat(40))
    return dataset.map(augment).batch(10)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices((IMAGES, LABELS)).batch(10)


def model_fn(features, labels, mode, params):
    net = tf.layers.flatten(features)
    net = tf.layers.dense(net, params["units"], activation=tf.nn.relu)
    logits = tf.layers.dense(net, 3)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train_op = tf.train.AdamOptimizer(params["rate"]).minimize(
        loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op,
        eval_metric_ops={"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))})


estimator = tf.estimator.Estimator(
    model_fn, "augmented", tf.estimator.RunConfig(tf_random_seed=21),
    params={"units": 8, "rate": 0.01})
estimator.train(train_input_fn, steps=10)
print(estimator.evaluate(eval_input_fn))
