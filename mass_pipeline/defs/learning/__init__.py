"""Assets: labels and the model."""
