"""Is this hour a Mass? Features, training, evaluation, model card, and the final combination with the rules."""
