"""PrefLib's files of preferences and margins."""
