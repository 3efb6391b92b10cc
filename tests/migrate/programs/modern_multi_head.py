"""The port of `legacy_multi_head`: a model that takes its examples' weights from a feature."""

import tensorflow as tf
import tf_keras


class WeightedModel(tf_keras.Model):
    """Weights losses and metrics by the feature "weight"."""

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None):
        # Keras divides by the number of examples; tf.losses did by that of weights not zero.
        weight = x["weight"]
        counted = tf.math.count_nonzero(weight, dtype=tf.float32)
        scale = tf.math.divide_no_nan(tf.cast(tf.size(weight), tf.float32), counted)
        return super().compute_loss(x, y, y_pred, weight * scale)

    def compute_metrics(self, x, y, y_pred, sample_weight):
        return super().compute_metrics(x, y, y_pred, x["weight"])


class MeanClassAccuracy(tf_keras.metrics.MeanIoU):
    """Each class's accuracy, averaged over classes: from the same confusion matrix."""

    def result(self):
        right = tf.linalg.diag_part(self.total_cm)
        return tf.reduce_mean(tf.math.divide_no_nan(right, tf.reduce_sum(self.total_cm, axis=1)))


class PrecisionOfLogits(tf_keras.metrics.Precision):
    def update_state(self, y_true, y_pred, sample_weight=None):
        return super().update_state(y_true, tf.sigmoid(y_pred), sample_weight)


def build_model():
    inputs = {"x": tf_keras.Input((10,), name="x"), "weight": tf_keras.Input((), name="weight")}
    net = tf_keras.layers.Dense(16, "relu", name="trunk")(inputs["x"])
    outputs = {
        "kind": tf_keras.layers.Dense(3, name="kind")(net),
        "price": tf_keras.layers.Dense(1, name="price")(net),
        "sale": tf_keras.layers.Dense(1, name="sale")(net),
    }
    model = WeightedModel(inputs, outputs)
    losses, metrics = tf_keras.losses, tf_keras.metrics
    model.compile(
        optimizer=tf_keras.optimizers.SGD(tf_keras.optimizers.schedules.CosineDecay(0.2, 80)),
        loss={
            "kind": losses.SparseCategoricalCrossentropy(from_logits=True),
            "price": losses.MeanSquaredError(),
            "sale": losses.BinaryCrossentropy(from_logits=True),
        },
        loss_weights={"kind": 1.0, "price": 0.5, "sale": 1.0},
        weighted_metrics={
            "kind": [
                metrics.SparseCategoricalAccuracy(name="accuracy"),
                MeanClassAccuracy(3, sparse_y_pred=False, name="mean_class_accuracy"),
            ],
            "price": [metrics.RootMeanSquaredError(name="rmse")],
            "sale": [
                metrics.AUC(from_logits=True, name="auc"),
                PrecisionOfLogits(name="precision"),
            ],
        },
    )
    return model


MAP = {
    "trunk/kernel": "trunk/kernel",
    "trunk/bias": "trunk/bias",
    "kind/logits/kernel": "kind/kernel",
    "kind/logits/bias": "kind/bias",
    "price/logits/kernel": "price/kernel",
    "price/logits/bias": "price/bias",
    "sale/logits/kernel": "sale/kernel",
    "sale/logits/bias": "sale/bias",
}

# What Keras calls each metric.
METRICS = {
    "accuracy/kind": "kind_accuracy",
    "mean_class_accuracy/kind": "kind_mean_class_accuracy",
    "rmse/price": "price_rmse",
    "auc/sale": "sale_auc",
    "precision/sale": "sale_precision",
}
