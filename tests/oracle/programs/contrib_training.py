"""contrib.training: train ops, the loops, and queue-based bucketing."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def model(tf):
    x = tf.constant(np.linspace(-1, 1, 8).reshape(4, 2), tf.float32)
    kernel = tf.get_variable("kernel", [2, 1], initializer=tf.constant_initializer([[0.5], [-0.5]]))
    bias = tf.get_variable("bias", [1], initializer=tf.zeros_initializer())
    error = tf.matmul(x, kernel) + bias - tf.reduce_sum(x, 1, keepdims=True) - 1.0
    return tf.reduce_mean(tf.square(error))


def train(tf, folder, **more):
    training = tf.contrib.training
    with tf.Graph().as_default():
        tf.train.create_global_step()
        updates = tf.get_variable("updates", [], initializer=tf.zeros_initializer())
        tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_add(updates, 1.0))
        optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
        op = training.create_train_op(model(tf), optimizer, **more)
        hooks = [tf.train.StopAtStepHook(5)]
        loss = training.train(
            op, folder, hooks=hooks, save_checkpoint_secs=None, save_summaries_steps=1
        )
        saved = len(tf.get_collection(tf.GraphKeys.TRAIN_OP))
        tags = sorted(facts.scalars(folder))
    return {"loss": float(loss), "train ops": saved, "scalars": tags}


def checkpoints(tf, folder):
    with tf.Graph().as_default():
        tf.train.create_global_step()
        op = tf.contrib.training.create_train_op(model(tf), tf.train.GradientDescentOptimizer(0.1))
        hooks = [tf.train.StopAtStepHook(3)]
        tf.contrib.training.train(op, folder, hooks=hooks, save_summaries_steps=None)
    return {"variables": facts.variables(folder), "values": facts.values(folder)}


def evaluate(tf, folder):
    training = tf.contrib.training
    found = {}
    for name in ("once", "repeatedly"):
        with tf.Graph().as_default():
            loss = model(tf)
            tf.train.get_or_create_global_step()
            value, update = tf.metrics.mean(loss)
            tf.summary.scalar("mean", value)
            log_dir = os.path.join(folder, name)
            hooks = [training.StopAfterNEvalsHook(3), training.SummaryAtEndHook(log_dir)]
            runs = training.get_or_create_eval_step()
            final = {"loss": value, "runs": runs}
            if name == "once":
                path = tf.train.latest_checkpoint(folder)
                seen = training.evaluate_once(path, eval_ops=update, final_ops=final, hooks=hooks)
            else:
                seen = training.evaluate_repeatedly(
                    folder,
                    eval_ops=[update],
                    final_ops=final,
                    hooks=hooks,
                    eval_interval_secs=0,
                    max_number_of_evaluations=1,
                )
            found[name] = facts.plain(seen)
            found[name + " summary"] = facts.scalars(log_dir)
            found[name + " eval step"] = [runs.name, runs.dtype.base_dtype.name]
    return found


def bucketed(tf, **more):
    with tf.Graph().as_default(), tf.Session() as session:
        lengths = tf.train.input_producer(
            tf.constant([1, 5, 2, 7, 1, 6, 2, 5]), num_epochs=1, shuffle=False
        ).dequeue()
        example = tf.range(lengths)
        length, batch = tf.contrib.training.bucket_by_sequence_length(
            lengths, [example], 2, [3, 9], dynamic_pad=True, shapes=[[None]], **more
        )
        session.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        seen = []
        try:
            while True:
                seen.append(facts.plain(session.run([length, batch[0]])))
        except tf.errors.OutOfRangeError:
            pass
        coordinator.request_stop()
        coordinator.join(threads)
        return [sorted(seen), batch[0].shape.as_list()]


def multiplied(tf):
    with tf.Graph().as_default(), tf.Session() as session:
        loss = model(tf)
        variables = tf.trainable_variables()
        pairs = tf.train.GradientDescentOptimizer(1.0).compute_gradients(loss)
        training = tf.contrib.training
        doubled = training.multiply_gradients(pairs, {variables[0]: 2.0, "bias": 0.5})
        clipped = training.clip_gradient_norms(doubled, 0.3)
        session.run(tf.global_variables_initializer())
        found = {
            "values": facts.plain(session.run([[g for g, _ in doubled], [g for g, _ in clipped]]))
        }
        found["errors"] = [
            facts.error(training.multiply_gradients, tuple(pairs), {"bias": 1.0})[0],
            facts.error(training.multiply_gradients, pairs, {})[0],
            facts.error(training.multiply_gradients, [(None, variables[1])], {"bias": 1.0})[0],
        ]
    return found


def placement(tf):
    training = tf.contrib.training
    strategies = {
        "random": training.RandomStrategy(3, seed=2),
        "greedy": training.GreedyLoadBalancingStrategy(2, training.byte_size_load_fn),
    }
    found = {}
    for name in sorted(strategies):
        with tf.Graph().as_default():
            setter = tf.train.replica_device_setter(3, ps_strategy=strategies[name])
            with tf.device(setter):
                made = [
                    tf.get_variable("v%d" % i, [n], use_resource=False)
                    for i, n in enumerate((10, 2, 3, 20, 4))
                ]
        found[name] = [variable.device for variable in made]
    return found


def errors(tf):
    training = tf.contrib.training
    with tf.Graph().as_default():
        loss = model(tf)
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        return [
            facts.error(training.train, loss, None)[0],
            facts.error(training.SummaryAtEndHook)[0],
            facts.error(training.create_train_op, loss, optimizer, variables_to_train=[])[0],
            facts.error(training.bucket, [loss], 0, [1, 2], 3)[0],
            facts.error(training.bucket_by_sequence_length, 1, [loss], 2, [])[0],
            facts.error(training.bucket_by_sequence_length, 1, [loss], 2, [3, 2])[0],
            facts.error(training.bucket_by_sequence_length, 1, [loss], 2, 3)[0],
        ]


def run(tf, folder):
    clip = tf.contrib.training.clip_gradient_norms_fn(0.1)
    return {
        "plain": train(tf, os.path.join(folder, "a")),
        "clipped": train(tf, os.path.join(folder, "b"), transform_grads_fn=clip),
        "summaries": train(tf, os.path.join(folder, "c"), summarize_gradients=True),
        "no step": train(tf, os.path.join(folder, "d"), update_ops=[]),
        "checkpoint": checkpoints(tf, os.path.join(folder, "e")),
        "evaluation": evaluate(tf, os.path.join(folder, "e")),
        "bucketed": bucketed(tf),
        "smaller": bucketed(tf, allow_smaller_final_batch=True),
        "gradients": multiplied(tf),
        "placement": placement(tf),
        "errors": errors(tf),
    }
