"""Rewrites Estimator-era programs: to `legacy` imports, or to Keras and tf.distribute.

    python -m migrate rewrite --to=legacy my_jobs/            # shows a diff
    python -m migrate rewrite --to=legacy --write my_jobs/

Matches are found with `ast` and `legacy.reading.used_names`. LibCST reads only the calls and
statements that a rule changes, and their new text is spliced in. So every other byte of a file
stays, and neither LibCST nor TensorFlow is imported before it is needed.

| module | what |
| --- | --- |
| `rule` | what a rule is: its metadata, and the changes that it finds |
| `rules` | all rules, a file each, by direction |
| `source_file` | a file as rules see it: text, tree, TensorFlow names and where they stand |
| `arguments` | a call whose arguments are edited, comments and layout kept |
| `new_names` | the names that new code binds, each for one meaning |
| `engine` | applies rules to a text until nothing is left to do |
| `homes` | where the names of old TensorFlow are found with `legacy` |
| `programs` | which files belong together, and whether they are of TensorFlow 1 |
| `notebook_cells` | the code of a notebook, and the notebook with new code |
| `files` | reads and writes files whole |
| `command` | the command line |
"""
