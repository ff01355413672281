"""What runs by itself: jobs, schedules, sensors and the conditions of assets. Implements no asset and no check."""
