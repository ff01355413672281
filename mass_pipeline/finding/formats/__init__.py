"""Forms in which others take the schedules: iCalendar, JSON-LD, Atom, GeoJSON, Data Package. Pure: values in, text out."""
