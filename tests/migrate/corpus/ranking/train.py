"""Trains the ranking model: python train.py MODEL_DIR"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import ranking
from ranking import compat, tf1 as tf


def input_fn():
  features = {"x": tf.constant([[1.0], [2.0], [3.0]])}
  return features, tf.constant([[0.0], [1.0], [2.0]])


def main(folder):
  config = compat.RunConfig(model_dir=folder, tf_random_seed=1)
  estimator = compat.Estimator(ranking.model_fn, config=config, params={"rate": 0.1})
  estimator.train(input_fn, steps=3)
  tf.logging.info("rank %s", next(estimator.predict(input_fn)))


if __name__ == "__main__":
  main(sys.argv[1])
