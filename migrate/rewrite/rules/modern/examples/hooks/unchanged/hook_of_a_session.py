import tensorflow as tf
hook = tf.compat.v1.train.StepCounterHook(every_n_steps=2)
def run(job, data):
    job.train(data, hooks=[hook])
    with tf.compat.v1.train.MonitoredSession(hooks=[hook]) as session:
        session.run('x')
