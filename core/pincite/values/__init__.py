"""The values that the parts of pincite exchange. Plain data; no behaviour beyond reading them."""
