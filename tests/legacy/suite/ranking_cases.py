# ruff: noqa
# Written as a suite of its time, for Python 2 and 3. It passes on TensorFlow 1.15.5.
"""Tests of heads, losses and estimators, in the style of a library for ranking."""

from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import math
import os

from absl.testing import parameterized
import numpy as np
import tensorflow as tf
from tensorflow.core.framework import summary_pb2
from tensorflow.python.estimator import estimator as estimator_lib
from tensorflow.python.estimator import model_fn as model_fn_lib
from tensorflow.python.estimator.canned import dnn
from tensorflow.python.estimator.canned import head as head_lib
from tensorflow.python.estimator.canned import metric_keys
from tensorflow.python.estimator.canned import optimizers
from tensorflow.python.estimator.canned import prediction_keys
from tensorflow.python.estimator.export import export_output
from tensorflow.python.estimator.inputs import numpy_io
from tensorflow.python.feature_column import feature_column_lib
from tensorflow.python.feature_column import feature_column_v2 as fc_lib
from tensorflow.python.framework import ops
from tensorflow.python.ops import array_ops
from tensorflow.python.ops import control_flow_ops
from tensorflow.python.ops import math_ops
from tensorflow.python.ops import variable_scope
from tensorflow.python.ops.losses import losses
from tensorflow.python.platform import tf_logging
from tensorflow.python.saved_model import signature_constants
from tensorflow.python.training import monitored_session
from tensorflow.python.training import session_run_hook
from tensorflow.python.training import training_util

_DEFAULT = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY


def _softmax_loss(labels, logits, weights=None):
    labels = math_ops.to_float(labels)
    total = math_ops.reduce_sum(labels, 1, keepdims=True)
    total = array_ops.where(math_ops.greater(total, 0.0), total, array_ops.ones_like(total))
    per_list = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels / total, logits=logits)
    return losses.compute_weighted_loss(per_list, 1.0 if weights is None else weights)


class RankingHead(object):
    """A head of one loss for lists."""

    def __init__(self, name=None):
        self._name = name

    def create_estimator_spec(self, features, mode, logits, labels=None, train_op_fn=None):
        with ops.name_scope(self._name, "head"):
            if mode == model_fn_lib.ModeKeys.PREDICT:
                output = export_output.RegressionOutput(value=logits)
                return model_fn_lib.EstimatorSpec(
                    mode,
                    predictions={prediction_keys.PredictionKeys.LOGITS: logits},
                    export_outputs={
                        _DEFAULT: output,
                        "predict": export_output.PredictOutput(logits),
                    },
                )
            loss = _softmax_loss(labels, logits, features.get("weight"))
            if mode == model_fn_lib.ModeKeys.EVAL:
                keys = metric_keys.MetricKeys
                return model_fn_lib.EstimatorSpec(
                    mode, loss=loss, eval_metric_ops={keys.LOSS_MEAN: tf.metrics.mean(loss)}
                )
            return model_fn_lib.EstimatorSpec(mode, loss=loss, train_op=train_op_fn(loss))


def _dummy_train_op(loss):
    with ops.control_dependencies((math_ops.less(0.0, loss + 1.0),)):
        return tf.assign_add(training_util.get_or_create_global_step(), 1)


class LossesTest(tf.test.TestCase, parameterized.TestCase):
    @parameterized.parameters(
        ([[1.0, 0.0]], [[0.0, 0.0]], math.log(2)), ([[0.0, 0.0]], [[1.0, 2.0]], 0.0)
    )
    def test_softmax(self, labels, logits, expected):
        with self.cached_session():
            self.assertAlmostEqual(expected, _softmax_loss(labels, tf.constant(logits)).eval(), 5)

    def test_weights(self):
        with tf.Graph().as_default(), tf.Session() as session:
            loss = _softmax_loss([[1.0, 0.0], [0.0, 1.0]], tf.zeros([2, 2]), [2.0, 0.0])
            self.assertAllClose(2 * math.log(2), session.run(loss))
            self.assertEqual([loss], tf.losses.get_losses())

    def test_reduction(self):
        self.assertEqual(losses.Reduction.SUM, tf.losses.Reduction.SUM)
        with self.assertRaisesRegexp(ValueError, "Invalid (R|r)eduction"):
            losses.Reduction.validate("typo")


class HeadTest(tf.test.TestCase):
    def setUp(self):
        super(HeadTest, self).setUp()
        ops.reset_default_graph()
        self._head = RankingHead("ranking")

    def test_train(self):
        spec = self._head.create_estimator_spec(
            {}, "train", tf.zeros([1, 2]), tf.constant([[1.0, 0.0]]), _dummy_train_op
        )
        self.assertIsNotNone(spec.train_op)
        self.assertEqual({}, spec.eval_metric_ops)
        with self.cached_session() as session:
            session.run(tf.global_variables_initializer())
            loss, step = session.run((spec.loss, spec.train_op))
            self.assertAllClose(math.log(2), loss)
            self.assertEqual(1, step)

    def test_predict(self):
        logits = tf.constant([[1.0, 2.0]])
        spec = self._head.create_estimator_spec({}, "infer", logits)
        self.assertItemsEqual((_DEFAULT, "predict"), spec.export_outputs.keys())
        self.assertIsInstance(spec.export_outputs["predict"], tf.estimator.export.PredictOutput)
        self.assertIsInstance(spec.export_outputs[_DEFAULT], tf.estimator.export.RegressionOutput)

    def test_eval(self):
        spec = self._head.create_estimator_spec({}, "eval", tf.zeros([1, 2]), [[1.0, 0.0]])
        value_ops = {k: v[0] for k, v in spec.eval_metric_ops.items()}
        update_ops = {k: v[1] for k, v in spec.eval_metric_ops.items()}
        with self.cached_session() as session:
            session.run(tf.local_variables_initializer())
            session.run(update_ops)
            self.assertAllClose(
                math.log(2), session.run(value_ops)[metric_keys.MetricKeys.LOSS_MEAN]
            )

    def test_canned_head(self):
        head = head_lib._regression_head(label_dimension=1, weight_column="w")
        self.assertEqual(1, head.logits_dimension)
        spec = head.create_estimator_spec(
            {"x": tf.constant([[1.0]]), "w": tf.constant([[2.0]])},
            "eval",
            tf.constant([[3.0]]),
            labels=tf.constant([[1.0]]),
        )
        with self.cached_session() as session:
            session.run(tf.local_variables_initializer())
            self.assertAllClose(8.0, session.run(spec.loss))

    def test_multi_class_head(self):
        head = head_lib._multi_class_head_with_softmax_cross_entropy_loss(3)
        logits = np.array([[10.0, 0.0, 0.0]], np.float32)
        spec = head.create_estimator_spec({}, "infer", logits=tf.constant(logits))
        keys = prediction_keys.PredictionKeys
        self.assertItemsEqual(
            (
                keys.LOGITS,
                keys.PROBABILITIES,
                keys.CLASS_IDS,
                keys.CLASSES,
                keys.ALL_CLASS_IDS,
                keys.ALL_CLASSES,
            ),
            spec.predictions,
        )

    def test_summary(self):
        head = head_lib._binary_logistic_head_with_sigmoid_cross_entropy_loss()
        spec = head.create_estimator_spec(
            {},
            "train",
            tf.constant([[0.0]]),
            labels=tf.constant([[1]]),
            train_op_fn=_dummy_train_op,
        )
        with self.cached_session() as session:
            session.run(tf.global_variables_initializer())
            merged = tf.summary.merge_all()
            _, text = session.run((spec.train_op, merged))
            summary = summary_pb2.Summary()
            summary.ParseFromString(text)
            self.assertIn("loss", [value.tag for value in summary.value])


class EstimatorTest(tf.test.TestCase, parameterized.TestCase):
    def setUp(self):
        super(EstimatorTest, self).setUp()
        self._model_dir = os.path.join(self.get_temp_dir(), self.id())
        self._columns = [feature_column_lib.numeric_column("x", shape=(2,))]

    def _input_fn(self, epochs=None):
        x = np.arange(12, dtype=np.float32).reshape([6, 2]) / 10
        return numpy_io.numpy_input_fn({"x": x}, x.sum(1), 3, num_epochs=epochs, shuffle=False)

    def _model_fn(self, features, labels, mode, params, config):
        del config
        head = head_lib._regression_head()

        def _train_op_fn(loss):
            optimizer = optimizers.get_optimizer_instance(params["optimizer"], 0.1)
            return optimizer.minimize(loss, global_step=training_util.get_global_step())

        with variable_scope.variable_scope("own", values=tuple(features.values())):
            logit_fn = dnn.dnn_logit_fn_builder(
                units=head.logits_dimension,
                hidden_units=[3],
                feature_columns=self._columns,
                activation_fn=tf.nn.relu,
                dropout=None,
                input_layer_partitioner=None,
                batch_norm=False,
            )
            logits = logit_fn(features=features, mode=mode)
        return head.create_estimator_spec(features, mode, logits, labels, train_op_fn=_train_op_fn)

    @parameterized.parameters("Adagrad", "Ftrl", "SGD")
    def test_complete_flow(self, optimizer):
        estimator = estimator_lib.Estimator(
            self._model_fn, self._model_dir, params={"optimizer": optimizer}
        )
        estimator.train(self._input_fn(), steps=5)
        scores = estimator.evaluate(self._input_fn(1))
        self.assertEqual(5, scores[ops.GraphKeys.GLOBAL_STEP])
        self.assertIn(metric_keys.MetricKeys.LOSS_MEAN, scores)
        predictions = list(estimator.predict(self._input_fn(1)))
        self.assertLen(predictions, 6)
        spec = tf.feature_column.make_parse_example_spec(self._columns)
        receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
        export_dir = estimator.export_savedmodel(tempfile_dir(self), receiver)
        self.assertTrue(tf.gfile.Exists(export_dir))
        self.assertIn("own/hiddenlayer_0/kernel", estimator.get_variable_names())

    def test_dnn_model(self):
        with tf.Graph().as_default():
            model = dnn._DNNModel(1, [2], self._columns, tf.nn.relu, None, None, False, name="dnn")
            logits = model({"x": tf.ones([3, 2])}, "train")
            self.assertEqual([3, 1], logits.shape.as_list())
            self.assertLen({v.name for v in model.trainable_variables}, 4)

    def test_call_model_fn(self):
        estimator = estimator_lib.Estimator(
            self._model_fn, self._model_dir, params={"optimizer": "SGD"}
        )
        with tf.Graph().as_default():
            training_util.create_global_step()
            spec = estimator._call_model_fn(
                {"x": tf.ones([3, 2])},
                tf.ones([3, 1]),
                model_fn_lib.ModeKeys.EVAL,
                estimator.config,
            )
            self.assertIsInstance(spec, model_fn_lib.EstimatorSpec)
        self.assertEqual("SGD", estimator.params["optimizer"])
        self.assertIsNot(estimator.params, estimator.params)

    def test_train_is_mocked(self):
        with tf.test.mock.patch.object(
            estimator_lib.Estimator, "_train_model", return_value=None
        ) as mocked:
            estimator = estimator_lib.Estimator(
                self._model_fn, self._model_dir, params={"optimizer": "SGD"}
            )
            self.assertIs(estimator, estimator.train(self._input_fn(), steps=3))
        self.assertEqual(1, mocked.call_count)

    def test_warning_is_mocked(self):
        with tf.test.mock.patch.object(tf_logging, "warning") as mocked:
            tf_logging.warning("told")
        mocked.assert_called_once_with("told")

    def test_columns(self):
        self.assertIs(fc_lib.numeric_column, tf.feature_column.numeric_column)
        column = tf.feature_column.categorical_column_with_vocabulary_list("v", ["a", "b"])
        embedded = fc_lib.embedding_column(column, 2, initializer=tf.ones_initializer())
        with tf.Graph().as_default(), tf.Session() as session:
            net = tf.feature_column.input_layer({"v": tf.constant([["a"], ["c"]])}, [embedded])
            session.run((tf.global_variables_initializer(), tf.tables_initializer()))
            self.assertAllClose([[1.0, 1.0], [0.0, 0.0]], session.run(net))


def tempfile_dir(case):
    return os.path.join(case.get_temp_dir(), "export_" + case.id())


class RecordingHook(session_run_hook.SessionRunHook):
    def __init__(self):
        self.calls = []

    def begin(self):
        self.calls.append("begin")

    def after_create_session(self, session, coord):
        self.calls.append("created")

    def before_run(self, run_context):
        self.calls.append("before")
        return session_run_hook.SessionRunArgs({"step": training_util.get_global_step()})

    def after_run(self, run_context, run_values):
        self.calls.append("after {}".format(run_values.results["step"]))
        run_context.request_stop()

    def end(self, session):
        self.calls.append("end")


class HooksTest(tf.test.TestCase):
    def test_hooked_session(self):
        with tf.Graph().as_default(), tf.Session() as session:
            step = training_util.create_global_step()
            increment = tf.assign_add(step, 1)
            hook = RecordingHook()
            hook.begin()
            session.run(tf.global_variables_initializer())
            hooked = monitored_session._HookedSession(session, [hook])
            with ops.control_dependencies([increment]):
                hooked.run(increment)
            self.assertEqual("before", hook.calls[1])
            self.assertTrue(hooked.should_stop())

    def test_monitored_session(self):
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            hook = RecordingHook()
            nothing = tf.no_op()
            with tf.train.MonitoredSession(hooks=[hook]) as session:
                while not session.should_stop():
                    session.run(nothing)
            self.assertEqual(["begin", "created", "before", "after 0", "end"], hook.calls)
            del step

    def test_stop_at_step(self):
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            add = tf.assign_add(step, 1)
            with tf.train.SingularMonitoredSession(
                hooks=[tf.train.StopAtStepHook(num_steps=3)]
            ) as session:
                while not session.should_stop():
                    last = session.run(add)
            self.assertEqual(3, last)

    def test_control_flow(self):
        with self.cached_session():
            value = control_flow_ops.cond(
                tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2)
            )
            self.assertEqual(1, value.eval())
            total = control_flow_ops.while_loop(lambda i: i < 4, lambda i: i + 1, [tf.constant(0)])
            self.assertEqual(4, total.eval())
            check = control_flow_ops.Assert(tf.constant(True), ["never"])
            check.run()


if __name__ == "__main__":
    tf.test.main()
