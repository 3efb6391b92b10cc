"""Between-graph training with parameter servers, by hand: one process of each task."""
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("ps_hosts", "", "host:port of each ps, with commas")
flags.DEFINE_string("worker_hosts", "", "host:port of each worker, with commas")
flags.DEFINE_string("job_name", "local", "ps, worker or local")
flags.DEFINE_integer("task_index", 0, "")
flags.DEFINE_string("log_dir", "/tmp/parameter_server", "")
flags.DEFINE_integer("last_step", 20, "")
flags.DEFINE_boolean("sync", False, "whether workers wait for one another")
FLAGS = flags.FLAGS


def loss_of_a_batch():
  x = tf.random_normal([8, 3], seed=5)
  target = tf.reduce_sum(x, 1, keep_dims=True)
  with tf.variable_scope("line"):
    w = tf.get_variable("w", [3, 1], regularizer=tf.contrib.layers.l2_regularizer(0.001))
  penalties = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
  return tf.losses.mean_squared_error(target, tf.matmul(x, w)) + tf.add_n(penalties)


def device_and_master():
  if FLAGS.job_name == "local":
    return None, "", True
  cluster = tf.train.ClusterSpec({"ps": FLAGS.ps_hosts.split(","),
                                  "worker": FLAGS.worker_hosts.split(",")})
  server = tf.train.Server(cluster, FLAGS.job_name, FLAGS.task_index)
  if FLAGS.job_name == "ps":
    server.join()
  device = tf.train.replica_device_setter(
      worker_device="/job:worker/task:%d" % FLAGS.task_index, cluster=cluster)
  return device, server.target, FLAGS.task_index == 0


def main(_):
  device, master, is_chief = device_and_master()
  with tf.Graph().as_default(), tf.device(device):
    loss = loss_of_a_batch()
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.RMSPropOptimizer(0.05)
    hooks = [tf.train.StopAtStepHook(last_step=FLAGS.last_step)]
    if FLAGS.sync:
      workers = len(FLAGS.worker_hosts.split(","))
      optimizer = tf.train.SyncReplicasOptimizer(optimizer, workers, workers)
      hooks.append(optimizer.make_session_run_hook(is_chief))
    gradients = optimizer.compute_gradients(loss, gate_gradients=tf.train.Optimizer.GATE_OP)
    train_op = optimizer.apply_gradients(gradients, global_step=step)
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.train.MonitoredTrainingSession(
        master=master, is_chief=is_chief, checkpoint_dir=FLAGS.log_dir, hooks=hooks,
        config=config) as session:
      while not session.should_stop():
        session.run(train_op)

  with tf.Graph().as_default():
    loss_of_a_batch()
    tf.train.create_global_step()
    creator = tf.train.ChiefSessionCreator(tf.train.Scaffold(), checkpoint_dir=FLAGS.log_dir)
    with tf.train.MonitoredSession(session_creator=creator) as session:
      steps = session.run(tf.train.get_global_step())
      tf.logging.info("The checkpoint is of step %d", steps)


if __name__ == "__main__":
  tf.app.run()
