import tensorflow.compat.v1 as tf
from modern import porting

graph = tf.Graph()
with graph.as_default():
    tensor = tf.constant(3)
with tf.Session(graph=graph) as session:
    x = int(session.run(tensor))
with tf.Graph().as_default(), tf.Session() as session:
    y = int(session.run(tf.constant(4)))
