import tensorflow.compat.v1 as tf
def network(net):
    return {"logits": tf.layers.dense(net, 3, activation=tf.nn.softmax)}
def compute_loss(labels, outputs):
    logits = outputs["logits"]
    return tf.losses.softmax_cross_entropy(labels, logits, label_smoothing=0.1)
