# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
from modern import porting

names = ["a", "b"]
tf.reset_default_graph()
with tf.Graph().as_default():
    name = tf.placeholder(tf.string)
    joined = tf.strings.join([name, """-
x"""])
    session = tf.Session()
    x = [session.run(joined, {name: one}).decode() for one in names]
    session.close()
y = len(x)
