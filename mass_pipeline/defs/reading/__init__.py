"""Assets: hours, schedules and announcements."""
