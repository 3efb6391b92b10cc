"""Clusters for the tests of RunConfig, and the properties that name the place in them."""

CLUSTER = {"chief": ["h0:1"], "worker": ["h1:1", "h2:1"], "ps": ["h3:1", "h4:1"]}
MASTER = {"master": ["h0:1"], "worker": ["h1:1", "h2:1"], "ps": ["h3:1", "h4:1"]}


def place(config):
    return (
        config.task_type,
        config.task_id,
        config.is_chief,
        config.master,
        config.num_ps_replicas,
        config.num_worker_replicas,
        config.global_id_in_cluster,
    )
