"""The port of `legacy_bert_optimization`: the same arithmetic as a Keras optimizer."""

import tensorflow as tf
import tf_keras

LEARNING_RATE, TRAIN_STEPS, WARMUP_STEPS = 2e-3, 100, 4


class AdamWeightDecay(tf_keras.optimizers.Optimizer):
    """Adam without correction of its first steps; the base class decays weights and clips."""

    def __init__(self, learning_rate, name="AdamWeightDecay", **kwargs):
        super().__init__(name=name, **kwargs)
        self._learning_rate = self._build_learning_rate(learning_rate)

    def build(self, var_list):
        super().build(var_list)
        if getattr(self, "_built", False):
            return
        self.m = [self.add_variable_from_reference(variable, "m") for variable in var_list]
        self.v = [self.add_variable_from_reference(variable, "v") for variable in var_list]
        self._built = True

    def update_step(self, gradient, variable):
        index = self._index_dict[self._var_key(variable)]
        m, v, gradient = self.m[index], self.v[index], tf.convert_to_tensor(gradient)
        m.assign(0.9 * m + (1.0 - 0.9) * gradient)
        v.assign(0.999 * v + (1.0 - 0.999) * tf.square(gradient))
        variable.assign_sub(self.learning_rate * m / (tf.sqrt(v) + 1e-6))

    def get_config(self):
        learning_rate = self._serialize_hyperparameter(self._learning_rate)
        return {**super().get_config(), "learning_rate": learning_rate}


class WarmUp(tf_keras.optimizers.schedules.LearningRateSchedule):
    """Linear decay from the first step on, but for a few steps in which it rises."""

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        decayed = LEARNING_RATE * (1.0 - tf.minimum(step, TRAIN_STEPS) / TRAIN_STEPS)
        return tf.where(step < WARMUP_STEPS, LEARNING_RATE * step / WARMUP_STEPS, decayed)

    def get_config(self):
        return {}
