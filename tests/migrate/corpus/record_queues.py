"""Reads records through queues, as it was done before tf.data."""
import os
import sys

import tensorflow as tf


def write(path, count=40):
  with tf.python_io.TFRecordWriter(path) as writer:
    for i in range(count):
      feature = {
          "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[bytes(bytearray([i] * 4))])),
          "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 2])),
          "words": tf.train.Feature(int64_list=tf.train.Int64List(value=range(i % 3))),
      }
      writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())


def read_and_decode(queue):
  reader = tf.TFRecordReader()
  _, serialized = reader.read(queue)
  features = tf.parse_single_example(serialized, features={
      "image": tf.FixedLenFeature([], tf.string),
      "label": tf.FixedLenFeature([], tf.int64),
      "words": tf.VarLenFeature(tf.int64),
  })
  image = tf.decode_raw(features["image"], tf.uint8)
  image.set_shape([4])
  words = tf.sparse_tensor_to_dense(features["words"])
  length = tf.size(words)
  hot = tf.sparse_to_dense(features["words"].indices, [3], 1.0)
  return tf.to_float(image) / 255.0, tf.to_int32(features["label"]), length, hot


def inputs(path, batch_size, shuffled=True):
  with tf.name_scope("input"):
    queue = tf.train.string_input_producer([path], num_epochs=2)
    example = read_and_decode(queue)
    if not shuffled:
      return tf.train.batch(example, batch_size)
    return tf.train.shuffle_batch(example, batch_size, capacity=60, min_after_dequeue=20, seed=1)


def main(folder):
  path = os.path.join(folder, "train.tfrecords")
  write(path)
  print(sum(1 for _ in tf.python_io.tf_record_iterator(path)), "records")
  with tf.Graph().as_default(), tf.Session() as sess:
    image, label, length, hot = inputs(path, 8)
    logits = tf.layers.Dense(2)(tf.concat([image, hot, tf.to_float(tf.expand_dims(length, 1))], 1))
    loss = tf.losses.sparse_softmax_cross_entropy(label, logits)
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss)
    sess.run(tf.group(tf.global_variables_initializer(), tf.local_variables_initializer()))
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    steps = 0
    try:
      while not coord.should_stop():
        sess.run(train_op)
        steps += 1
    except tf.errors.OutOfRangeError:
      print("done after", steps)
    finally:
      coord.request_stop()
    coord.join(threads)


if __name__ == "__main__":
  main(sys.argv[1])
