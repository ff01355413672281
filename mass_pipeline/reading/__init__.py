"""From the words of a schedule to Masses: grammar says what holds under which conditions."""
