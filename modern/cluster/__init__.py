"""What a cluster is: TF_CONFIG, the roles of its tasks, and local processes that form one."""
