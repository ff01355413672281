"""mass_pipeline: trustworthy, dated, evidence-backed Mass schedules for all of Poland."""
