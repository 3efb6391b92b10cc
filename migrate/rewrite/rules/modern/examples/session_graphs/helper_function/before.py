# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
from modern import porting


def total(rows):
    """Returns the sum of some rows."""
    dataset = tf.data.Dataset.from_tensor_slices(rows)
    row = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        return sum(int(session.run(row)) for _ in rows)


x = total([1, 2, 3])
