"""Writes a plugin's distribution: what `pincite plugins new` gives to begin with. It passes its contract kit as it is."""
