"""What watches over a running pipeline: the engine of several machines, the UI of operators, the canary."""
