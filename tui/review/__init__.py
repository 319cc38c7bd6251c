"""Going through the samples and items of a run, without a screen."""
