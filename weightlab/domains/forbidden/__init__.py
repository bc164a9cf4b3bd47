"""The smallest sub-profiles that a domain forbids, found and checked."""
