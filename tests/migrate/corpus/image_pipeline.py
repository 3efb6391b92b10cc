"""Input functions of images: files, crops, contrib's transformations, iterators."""
import os
import sys

import numpy as np
import tensorflow as tf


def prepare(folder, count=6):
  tf.gfile.MakeDirs(folder)
  tf.gfile.MkDir(os.path.join(folder, "raw"))
  with tf.Graph().as_default(), tf.Session() as session:
    images = [tf.image.encode_png(np.full([9, 9, 3], i, np.uint8)) for i in range(count)]
    for i, data in enumerate(session.run(images)):
      with tf.gfile.Open(os.path.join(folder, "raw", "%d.png" % i), "wb") as file:
        file.write(data)
  with tf.gfile.GFile(os.path.join(folder, "labels.txt"), "w") as file:
    file.write("0\n1\n" * (count // 2))
  tf.gfile.Copy(os.path.join(folder, "labels.txt"), os.path.join(folder, "kept.txt"))
  tf.gfile.Rename(os.path.join(folder, "kept.txt"), os.path.join(folder, "moved.txt"))
  tf.gfile.Remove(os.path.join(folder, "moved.txt"))
  return sorted(tf.gfile.ListDirectory(os.path.join(folder, "raw")))


def load(path, training):
  image = tf.image.decode_png(tf.read_file(path), channels=3)
  if training:
    image = tf.random_crop(tf.image.resize_image_with_crop_or_pad(image, 10, 10), [8, 8, 3])
  else:
    image = tf.image.resize_images(image, [8, 8])
  image = tf.image.resize_nearest_neighbor(tf.expand_dims(image, 0), [8, 8])[0]
  return tf.to_float(image)


def brightness(image):
  return np.float32(image.mean())


def input_fn(folder, names, training, batch_size=2):
  files = [os.path.join(folder, "raw", name) for name in names]
  dataset = tf.data.Dataset.from_tensor_slices(files)
  if training:
    dataset = dataset.apply(tf.contrib.data.shuffle_and_repeat(10, count=2, seed=1))
  dataset = dataset.apply(tf.contrib.data.parallel_interleave(
      lambda file: tf.data.Dataset.from_tensors(file), cycle_length=2, sloppy=False))
  dataset = dataset.apply(tf.contrib.data.map_and_batch(
      lambda path: load(path, training), batch_size, num_parallel_batches=1))
  dataset = dataset.map(lambda images: (images, tf.py_func(brightness, [images], tf.float32)))
  return dataset.prefetch(tf.contrib.data.AUTOTUNE)


def parse_many(serialized):
  features = tf.parse_example(serialized, {
      "size": tf.FixedLenFeature([1], tf.int64, default_value=0),
      "tags": tf.VarLenFeature(tf.string)})
  tags = tf.reduce_join(tf.sparse_tensor_to_dense(features["tags"], ""), 1)
  return tf.to_int64(features["size"]), tf.div_no_nan(1.0, tf.to_float(features["size"])), tags


def main(folder):
  names = prepare(folder + "/images")
  with tf.Graph().as_default(), tf.Session() as session:
    dataset = input_fn(folder + "/images", names, True)
    assert tf.data.get_output_shapes(dataset)[0].ndims == 4
    iterator = tf.data.make_one_shot_iterator(dataset)
    again = input_fn(folder + "/images", names, False).make_initializable_iterator()
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, again.initializer)
    session.run(tf.tables_initializer())
    print(session.run([iterator.get_next(), again.get_next()])[0][1])
    example = tf.train.Example().SerializeToString()
    print(session.run(parse_many(tf.constant([example]))))


if __name__ == "__main__":
  main(sys.argv[1])
