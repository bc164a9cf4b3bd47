"""Rankings that fall off on both sides of a peak, along an axis or on a tree."""
