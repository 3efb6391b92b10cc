"""Adam with weight decay, warm-up and clipping, as `legacy_bert_encoder` has it."""

import re

import tensorflow.compat.v1 as tf


class AdamWeightDecayOptimizer(tf.train.Optimizer):
    """Adam that decays weights apart from the gradients, and does not correct its first steps."""

    def __init__(self, learning_rate, weight_decay_rate, exclude_from_weight_decay):
        super().__init__(False, "AdamWeightDecayOptimizer")
        self.learning_rate = learning_rate
        self.weight_decay_rate = weight_decay_rate
        self.exclude_from_weight_decay = exclude_from_weight_decay
        self.beta_1, self.beta_2, self.epsilon = 0.9, 0.999, 1e-6

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        assignments = []
        for grad, param in grads_and_vars:
            if grad is None:
                continue
            param_name = re.match("^(.*):\\d+$", param.name).group(1)
            m, v = (
                tf.get_variable(
                    name=param_name + "/" + slot,
                    shape=param.shape.as_list(),
                    trainable=False,
                    initializer=tf.zeros_initializer(),
                )
                for slot in ("adam_m", "adam_v")
            )
            # tf.multiply takes the sparse gradient of an embedding and makes it dense.
            next_m = tf.multiply(self.beta_1, m) + tf.multiply(1.0 - self.beta_1, grad)
            next_v = tf.multiply(self.beta_2, v) + tf.multiply(1.0 - self.beta_2, tf.square(grad))
            update = next_m / (tf.sqrt(next_v) + self.epsilon)
            if not any(re.search(word, param_name) for word in self.exclude_from_weight_decay):
                update += self.weight_decay_rate * param
            next_param = param - self.learning_rate * update
            assignments += [param.assign(next_param), m.assign(next_m), v.assign(next_v)]
        return tf.group(*assignments, name=name)


def create_optimizer(loss, params):
    global_step = tf.train.get_or_create_global_step()
    learning_rate = tf.train.polynomial_decay(
        params["learning_rate"], global_step, params["num_train_steps"], end_learning_rate=0.0
    )
    step = tf.cast(global_step, tf.float32)
    warmup_steps = float(params["num_warmup_steps"])
    learning_rate = tf.where(
        step < warmup_steps, params["learning_rate"] * step / warmup_steps, learning_rate
    )
    optimizer = AdamWeightDecayOptimizer(
        learning_rate,
        weight_decay_rate=0.01,
        exclude_from_weight_decay=["LayerNorm", "layer_norm", "bias"],
    )
    tvars = tf.trainable_variables()
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, tvars), clip_norm=1.0)
    train_op = optimizer.apply_gradients(
        zip(grads, tvars),  # noqa: B905
        global_step=global_step,
    )
    # The optimizer does not count the step. Counted after the update, which reads it.
    with tf.control_dependencies([train_op]):
        return global_step.assign(global_step + 1).op
