"""The policy update: from a rollout to advantages, minibatches, the loss and a step of Adam."""
