"""Why two rules part, and what reconciles them."""
