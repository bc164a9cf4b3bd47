"""Where bytes come from: archives, addresses on the web."""
