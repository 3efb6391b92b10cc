"""From `legacy` to `modern`: the tools that carry a job from one rung to the next."""
