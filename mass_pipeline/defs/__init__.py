"""What Dagster runs, by wing: assets, checks, jobs, sensors. What they do is in the packages of the domain."""
