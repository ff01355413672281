"""Read human-written Polish Mass times: vocabulary (as data), clock tokens, days, seasons, places -> Mass records."""
