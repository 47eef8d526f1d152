"""What a model's scores mean: where a match begins and where it is as good as matches get (specs/28-calibration.md)."""
