"""Exports a model in three ways, and asks it."""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow.contrib import predictor
from tensorflow.contrib.util import make_tensor_proto
from tensorflow.python.estimator.model_fn import ModeKeys
from tensorflow.python.saved_model import builder as saved_model_builder
from tensorflow.python.saved_model import signature_constants, tag_constants

DEFAULT = tf.saved_model.signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY


def model_fn(features, labels, mode):
  scores = tf.layers.dense(features["x"], 1, name="scores")
  loss = train_op = None
  if mode == ModeKeys.PREDICT:
    outputs = {DEFAULT: tf.estimator.export.PredictOutput({"scores": scores})}
    return tf.estimator.EstimatorSpec(mode, scores, export_outputs=outputs)
  if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
    loss = tf.losses.log_loss(labels, tf.nn.sigmoid(scores))
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
  return tf.estimator.EstimatorSpec(mode, scores, loss, train_op)


def input_fn():
  x = np.ones([4, 2], np.float32)
  return {"x": tf.constant(x)}, tf.ones([4, 1])


def serving_input_receiver_fn():
  x = tf.placeholder(tf.float32, [None, 2], "x")
  return tf.estimator.export.ServingInputReceiver({"x": x}, x)


def tensor_receiver_fn():
  x = tf.placeholder(tf.float32, [None, 2])
  return tf.estimator.export.TensorServingInputReceiver(x, {"x": x})


def by_hand(folder):
  builder = saved_model_builder.SavedModelBuilder(folder)
  with tf.Graph().as_default(), tf.Session() as session:
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.layers.dense(x, 1)
    session.run(tf.global_variables_initializer())
    info = {"x": tf.saved_model.utils.build_tensor_info(x)}
    signature = tf.saved_model.signature_def_utils.build_signature_def(
        info, {"y": tf.saved_model.utils.build_tensor_info(y)},
        signature_constants.PREDICT_METHOD_NAME)
    builder.add_meta_graph_and_variables(
        session, [tag_constants.SERVING, tf.saved_model.tag_constants.SERVING],
        {signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature})
  builder.save()


def request(values):
  return make_tensor_proto(values), tf.contrib.util.make_tensor_proto(values, shape=[1, 2])


def main(folder):
  estimator = tf.estimator.Estimator(model_fn, folder + "/model")
  estimator.train(input_fn, steps=2)
  path = estimator.export_savedmodel(folder + "/export", serving_input_receiver_fn)
  ask = tf.contrib.predictor.from_saved_model(path.decode())
  print(ask({"input": np.ones([1, 2])}))
  print(predictor.from_saved_model(path.decode()).session.graph is not None)


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("folder")
  main(parser.parse_args().folder)
