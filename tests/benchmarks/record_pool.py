r"""Records the pool of runs that `benchmarks.rates` draws verdicts from.

    python -m tests.benchmarks.record_pool --seeds=60 --defect_seeds=10 \
        --output=benchmarks/pools/mnist_cnn.json.gz

Trains the setting of `make compare` in every way: first without a defect, then with each planted
defect. This takes about an hour and a half on two idle cores. The file is updated after every few
seeds, so that an interruption loses little. The same command continues from the file.
"""

import dataclasses
import pathlib
import sys
import tempfile

from absl import flags

from benchmarks import checkpoint_weights, runner, ways
from benchmarks import pool as pools
from benchmarks.judging import checks, margins, shares
from benchmarks.reporting import report
from modern.model_files import weights
from modern.process import cli, quiet_import
from modern.records import digests
from tests.benchmarks import planted

FLAGS = flags.FLAGS
SETTING = ways.Setting(
    job="mnist_cnn", dataset="digits", learning_rate=0.01, steps=150, warmup_steps=30
)
SYNCHRONOUS = "multi_worker_mirrored"
BATCH = 64
WRITE_EVERY = 5  # seeds
EXACT_SEEDS = 5  # for the short trainings whose weights are compared


def main(argv):
    del argv
    path = pathlib.Path(FLAGS.output)
    pool = pools.read(path) if path.exists() else _empty()
    while len(pool.equal.get(ways.SINGLE, [])) < FLAGS.seeds:
        pool = _with_equal(pool, path)
    for way in ways.NAMES[1:]:
        if any(way not in of_way for of_way in _defects(pool).values()):
            pool = _with_defects(pool, way, path)
    return 0


def _empty():
    return pools.Pool(pools.setting_of(SETTING), report.machine(), {}, {}, {})


def _defects(pool):
    return {name: dict(pool.defects.get(name, {})) for name in planted.RECORDED}


def _say(text):
    print(text, file=sys.stderr, flush=True)


def _with_equal(pool, path):
    """Adds runs of all ways without a defect, and returns the pool. Writes it every few seeds."""
    first = len(pool.equal.get(ways.SINGLE, []))
    setting = dataclasses.replace(SETTING, max_seeds=FLAGS.seeds - first)
    equal = {way: list(pool.equal.get(way, [])) for way in ways.NAMES}
    with tempfile.TemporaryDirectory() as folder, runner.Groups() as running:
        _write_initial_weights(folder, range(first, FLAGS.seeds))
        groups = [ways.group(setting, way, folder) for way in ways.NAMES]
        groups = [
            dataclasses.replace(group, command=(*group.command, f"--seed={first}"))
            for group in groups
        ]
        for turn in range(FLAGS.seeds - first):
            results = {group.way: [running.train(group, turn)] for group in groups}
            for way, (result,) in results.items():
                equal[way].append(pools.run_of(result))
            _say(f"seed {first + turn}: " + _losses(results))
            versions = results[ways.SINGLE][0]["versions"]
            pool = dataclasses.replace(pool, equal=equal, versions=versions)
            if turn % WRITE_EVERY == WRITE_EVERY - 1:
                pools.write(pool, path)
        running.finish()
    pools.write(pool, path)
    return pool


def _with_defects(pool, way, path):
    """Adds runs of one way with each defect, and returns the pool. Writes it after each defect."""
    seeds = FLAGS.defect_seeds
    names = [name for name, of_way in _defects(pool).items() if way not in of_way]
    program = planted.program(way, *(name for name in names for _ in range(seeds)))
    setting = dataclasses.replace(SETTING, max_seeds=seeds * len(names), programs={way: program})
    defects = _defects(pool)
    with tempfile.TemporaryDirectory() as folder, runner.Groups() as running:
        initial = _write_initial_weights(folder, range(seeds))
        shown = _shown_by_weights(way, names, folder, initial)
        group = ways.group(setting, way, folder)
        group = dataclasses.replace(group, command=(*group.command, f"--distinct_seeds={seeds}"))
        expected = shares.ExpectedDigests(SETTING)
        for place, name in enumerate(names):
            turns = range(place * seeds, (place + 1) * seeds)
            results = [running.train(group, turn) for turn in turns]
            (data,) = checks.shares({way: results}, expected, digests.TOLERANCE)
            exact = shown[name] | ({} if data.passed else {data.name: 1.0})
            runs = [pools.run_of(result) for result in results]
            defects[name][way] = {"exact": exact, "runs": runs}
            pool = dataclasses.replace(pool, defects=defects)
            pools.write(pool, path)
            _say(f"{way}, {name}: {_losses({way: results})}; shown exactly by {exact}")
        running.finish()
    return pool


def _shown_by_weights(way, names, folder, initial):
    """Returns the share of seeds in which a check of weights fails, by defect and check."""
    names = [*names, planted.NONE]
    each = [name for name in names for _ in range(EXACT_SEEDS)]
    setting = dataclasses.replace(SETTING, programs={way: planted.program(way, *each)})
    pairs = [("one trainer", 1)]
    if way == SYNCHRONOUS:
        pairs.append(("global batch", SETTING.trainers))
    shown = {name: {} for name in names}
    steps = ways.EXACT_STEPS
    for title, trainers in pairs:
        group = _repeated(ways.exact_group(setting, way, folder, trainers, BATCH, steps), len(each))
        alone = ways.exact_group(SETTING, ways.SINGLE, folder, 1, BATCH * trainers, steps)
        alone = _repeated(alone, EXACT_SEEDS)
        with runner.Groups() as running:
            references = [running.train(alone, turn) for turn in range(EXACT_SEEDS)]
            results = [running.train(group, turn) for turn in range(len(each))]
            running.finish()
        title = f"weights, {title}: {way}"
        for turn, (name, result) in enumerate(zip(each, results, strict=True)):
            seed = turn % EXACT_SEEDS
            start = initial[seed]
            found = checkpoint_weights.read(result["checkpoint"], start, {})
            ended = checkpoint_weights.read(references[seed]["checkpoint"], start, {})
            pair = checks.ExactPair(title, way, "single", found, ended)
            (check,) = checks.exact([pair], start, margins.OF_JOB[SETTING.job])
            share = (not check.passed) / EXACT_SEEDS
            shown[name][title] = shown[name].get(title, 0.0) + share
    if any(shown[planted.NONE].values()):
        raise RuntimeError(f"{way} without a defect is told: {shown[planted.NONE]}")
    expected = set(planted.OF_ONE_TRAINER) & set(names)
    absent = [name for name in expected if not any(shown[name].values())]
    if absent:
        raise RuntimeError(f"{way} shows nothing of {', '.join(absent)}: is it planted?")
    return shown


def _repeated(group, times):
    command = (*group.command, f"--repeats={times}", f"--distinct_seeds={EXACT_SEEDS}")
    return dataclasses.replace(group, repeats=times, command=command)


def _write_initial_weights(folder, seeds):
    """Writes the initial weights of each seed, and returns them."""
    quiet_import.import_tensorflow()
    import tf_keras

    from modern.jobs import mnist_cnn

    prefix, written = ways.init_checkpoint(folder), []
    for seed in seeds:
        tf_keras.utils.set_random_seed(seed)
        written.append(weights.read(mnist_cnn.build_model()))
        weights.save(prefix.replace("{seed}", str(seed)), written[-1])
    return written


def _losses(results):
    return "  ".join(f"{way} {of_way[-1]['eval']['loss']:.4f}" for way, of_way in results.items())


if __name__ == "__main__":
    flags.DEFINE_integer("seeds", 60, "Seeds of each way without a defect.")
    flags.DEFINE_integer("defect_seeds", 10, "Seeds of each way with each defect.")
    flags.DEFINE_string("output", str(pools.FOLDER / f"{SETTING.job}.json.gz"), "The file.")
    cli.run(main)
