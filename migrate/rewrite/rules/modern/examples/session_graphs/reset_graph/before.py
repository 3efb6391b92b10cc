# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
from modern import porting


def double(number):
    tf.reset_default_graph()
    tensor = tf.get_variable("v", initializer=number) * 2
    session = tf.InteractiveSession()
    session.run(tf.global_variables_initializer())
    result = tensor.eval()
    session.close()
    return result


x = double(2.0)
y = double(3.0)
