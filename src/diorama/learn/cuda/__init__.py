"""The training pipeline of a GPU: some shards step on the host while the policy acts for others."""
