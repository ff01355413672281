"""Learn which hours are Masses: annotated set, features, network, calibration, evaluation, registry. Tables in, tables out."""
