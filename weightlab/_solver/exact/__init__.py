"""From a float solution to an exact optimum with its proof."""
