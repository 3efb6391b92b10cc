"""Names that are not written out: lazy imports, getattr, stars, rebound modules."""
import importlib
import sys

from tensorflow.contrib.layers import *
from tensorflow.python.util.lazy_loader import LazyLoader

lazy = LazyLoader("lazy", globals(), "tensorflow")
slim = importlib.import_module("tensorflow.contrib.slim")
CLASSES = {"adam": "AdamOptimizer", "sgd": "GradientDescentOptimizer"}


def optimizer(name, rate):
  import tensorflow as tf
  train = tf.train

  def make(kind):
    return getattr(train, CLASSES[kind])(rate)

  if name == "momentum":
    return train.MomentumOptimizer(rate, 0.9)
  return make(name)


def head(net, classes=2):
  net = batch_norm(net)
  net = slim.flatten(net)
  return fully_connected(net, classes, weights_regularizer=l2_regularizer(0.01))


def session():
  tf = sys.modules["tensorflow"]
  v1 = tf.compat.v1 if hasattr(tf, "compat") else tf
  return v1.Session(config=lazy.ConfigProto())


class Trainer(object):
  modes = lazy.estimator.ModeKeys

  def __init__(self):
    self.tf = importlib.import_module("tensorflow")

  def check(self, mode, default=lazy.AUTO_REUSE):
    assert f"{self.tf.VERSION}" and mode != self.modes.TRAIN
    return self.tf.estimator.RunConfig(), default
