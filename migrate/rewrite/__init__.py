"""Rewrites Estimator-era programs: to `legacy` imports, or to Keras and tf.distribute.

    python -m migrate rewrite --to=legacy my_jobs/            # shows a diff
    python -m migrate rewrite --to=legacy --write my_jobs/

Rules find matches with `ast` and `legacy.reading.used_names`. LibCST parses only the calls and
statements that a rule changes, and their new text is spliced in. So every other byte of a file
stays, and neither LibCST nor TensorFlow is imported before it is needed.

Files in reading order:
command     runs `migrate rewrite` from the command line
program     rewrites all files of a program with one plan
engine      applies rules to one file until nothing changes
rules       holds the rewriting rules, one file each
names       finds the new places of old names, and spells them in new code
keras3      knows what differs between tf_keras and Keras 3
analysis    follows names, Estimators, datasets and feature columns through a file
factories   writes out the calls of functions that make specs, configs and Estimators
sessions    gives session code a graph of its own, next to models that Keras trains
estimators  replaces Estimators, and all method calls on them, by Keras models
canned      writes the Keras models of canned Estimators
model_fns   turns a model_fn into a tf_keras.Model subclass
"""
