"""contrib.framework: argument scopes, variables by name, checkpoints."""

import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)


def scopes(tf):
    framework = tf.contrib.framework

    @framework.add_arg_scope
    def show(first, second=2, third=3):
        return [first, second, third]

    @framework.add_arg_scope
    def other(second=7):
        return second

    found = [show(1)]
    with framework.arg_scope([show, other], second=20) as outer:
        found.append([show(1), show(1, third=30), other()])
        with framework.arg_scope([show], third=300):
            found.append([show(1), show(1, second=0), other()])
            with framework.arg_scope(outer):
                found.append(show(1))
    found.append(show(1))
    with framework.arg_scope(outer), framework.arg_scope([other], second=1):
        found.append([show(5), other(), len(framework.current_arg_scope())])
    found.append(list(framework.arg_scoped_arguments(show)))
    found.append([framework.has_arg_scope(show), framework.has_arg_scope(scopes)])

    def open_scope(*args, **kwargs):
        with framework.arg_scope(*args, **kwargs):
            pass

    found.append(
        [
            facts.error(open_scope, outer, second=1)[0],
            facts.error(open_scope, [scopes], second=1)[0],
            facts.error(open_scope, 3)[0],
            facts.error(framework.arg_scoped_arguments, scopes)[0],
        ]
    )
    with framework.arg_scope([show], second=1):
        found.append(facts.error(show, 1, 2)[0])
    return found


def variables(tf):
    framework = tf.contrib.framework
    keys = tf.GraphKeys
    regularizer = tf.contrib.layers.l1_regularizer(0.5)
    with tf.variable_scope("a"):
        framework.model_variable("one", [2], regularizer=regularizer)
        framework.variable("two", [2], collections=["mine", keys.GLOBAL_VARIABLES])
    with tf.variable_scope("b"), framework.arg_scope([framework.variable], device="/cpu:0"):
        placed = framework.model_variable("one", initializer=np.float32(3), trainable=False)
    local = framework.local_variable(2.0, name="local")
    made = framework.global_variable(1, name="global")
    framework.add_model_variable(made)
    framework.add_model_variable(made)

    def names(found):
        return [each.op.name for each in found]

    found = {
        "all": names(framework.get_variables()),
        "scope": names(framework.get_variables("a")),
        "suffix": names(framework.get_variables(suffix="one")),
        "suffixed": names(framework.get_variables_by_suffix("one", "b")),
        "named": names(framework.get_variables_by_name("one")),
        "model": names(framework.get_model_variables()),
        "local": names(framework.get_local_variables()),
        "trainable": names(framework.get_trainable_variables()),
        "restore": names(framework.get_variables_to_restore()),
        "included": names(framework.get_variables_to_restore(include=["a"], exclude=["a/two"])),
        "filtered": names(framework.filter_variables(tf.global_variables(), ["one"], ["^b"])),
        "matched": names(
            framework.filter_variables(tf.global_variables(), ["one", "g"], reg_search=False)
        ),
        "unique": framework.get_unique_variable("a/one").op.name,
        "mine": names(tf.get_collection("mine")),
        "losses": [each.name for each in tf.get_collection(keys.REGULARIZATION_LOSSES)],
        "placed": placed.device,
        "kinds": [local.dtype.base_dtype.name, made.dtype.base_dtype.name],
        "full": framework.get_variable_full_name(placed),
    }
    found["errors"] = [
        facts.error(framework.get_unique_variable, "c")[0],
        facts.error(framework.get_unique_variable, "a")[0],
        facts.error(framework.get_variables_to_restore, "a")[0],
        facts.error(framework.get_variables_to_restore, None, "a")[0],
    ]
    chooser = framework.VariableDeviceChooser(num_tasks=2)
    local_chooser = framework.VariableDeviceChooser(device_type="GPU", device_index=1)
    found["devices"] = [chooser(None) for _ in range(3)] + [local_chooser(None)]
    step = framework.get_or_create_global_step()
    found["step"] = [step.op.name, framework.get_global_step() is step]
    return found


def checkpoints(tf, folder):
    framework = tf.contrib.framework
    path = os.path.join(folder, "model.ckpt-7")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("a/kernel", initializer=np.float32([[1, 2, 3], [4, 5, 6]]))
        tf.get_variable("a/bias", initializer=np.float32([7, 8]))
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, path)
    found = {
        "list": framework.list_variables(folder),
        "load": facts.plain(framework.load_variable(folder, "a/bias:0")),
        "reader": facts.plain(framework.load_checkpoint(path).get_tensor("a/kernel")),
        "none": facts.error(framework.load_checkpoint, os.path.join(folder, "none"))[0],
    }
    with tf.Graph().as_default(), tf.Session() as session:
        parted = tf.get_variable("a/kernel", [2, 3], partitioner=tf.fixed_size_partitioner(2))
        bias = tf.get_variable("b/bias", [2])
        extra = tf.get_variable("extra", initializer=np.float32([1.5]))
        session.run(tf.global_variables_initializer())
        by_name = {"a/kernel": list(parted), "a/bias": bias}
        session.run(*framework.assign_from_checkpoint(path, by_name))
        found["assigned"] = facts.plain(session.run([list(parted), bias]))
        assign = framework.assign_from_values_fn({"b/bias": np.float32([[0], [1]])})
        assign(session)
        found["values"] = facts.plain(session.run(bias))
        restore = framework.assign_from_checkpoint_fn(path, {"a/bias": bias})
        restore(session)
        found["restored"] = facts.plain(session.run(bias))
        found["nothing"] = framework.assign_from_checkpoint_fn(path, [extra], True)
        found["errors"] = [
            facts.error(framework.assign_from_checkpoint, path, [extra])[0],
            facts.error(framework.assign_from_checkpoint, path, {"a/kernel": bias})[0],
            facts.error(framework.assign_from_checkpoint_fn, path, [])[0],
            facts.error(framework.assign_from_values, {"none": np.float32(1)})[0],
        ]
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("new"):
            kernel = tf.get_variable("kernel", [2, 3])
            bias = tf.get_variable("bias", [2])
        framework.init_from_checkpoint(folder, {"a/": "new/"})
        session.run(tf.global_variables_initializer())
        found["started"] = facts.plain(session.run([kernel, bias]))
    return found


def tensors(tf):
    framework = tf.contrib.framework
    one = tf.constant([[1.0, 2.0]])
    unknown = tf.placeholder_with_default([[1.0, 2.0]], None)
    with tf.Session() as session:
        found = facts.plain(
            session.run(
                {
                    "sum": framework.reduce_sum_n([one, one + 1]),
                    "shape": framework.with_shape([1, 2], one),
                    "later": framework.with_shape([1, 2], unknown),
                    "same": framework.with_same_shape(one, unknown),
                    "scalar": framework.with_shape([], tf.constant([5.0])),
                    "squeezed": framework.remove_squeezable_dimensions(
                        tf.constant([[1.0], [2.0]]), tf.constant([1, 2])
                    ),
                }
            )
        )
        found["wrong"] = facts.error(session.run, framework.with_shape([3, 2], unknown))[0]
    found["errors"] = [
        facts.error(framework.with_shape, [2, 1], one)[0],
        facts.error(framework.with_shape, tf.constant([1.0]), one)[0],
        facts.error(framework.reduce_sum_n, [])[0],
        facts.error(framework.assert_scalar_int, one)[0],
        facts.error(framework.smart_cond, 3, lambda: 1, lambda: 2)[0],
    ]
    found["cond"] = [
        framework.smart_cond(True, lambda: 1, lambda: 2),
        framework.smart_cond(tf.constant(False), lambda: 1, lambda: 2),
    ]
    nest = framework.nest
    found["nest"] = [
        nest.is_sequence([1]),
        nest.is_sequence(1),
        nest.flatten({"b": [1, 2], "a": 0}),
        nest.flatten_dict_items({(1, 2): (3, 4), 5: 6}) == {1: 3, 2: 4, 5: 6},
        nest.map_structure(lambda x: x + 1, [1, [2]]),
    ]
    found["names"] = [
        framework.prepend_name_scope("^a/b", "c"),
        framework.prepend_name_scope("loc:@a", "c"),
        framework.strip_name_scope("c/a", "c"),
        framework.strip_name_scope("^c/a", "c"),
    ]
    return found


def run(tf, folder):
    return {
        "scopes": scopes(tf),
        "variables": variables(tf),
        "checkpoints": checkpoints(tf, folder),
        "tensors": tensors(tf),
    }
