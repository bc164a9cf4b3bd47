# %% [markdown]
"""Is my benchmark well behaved?

A suite has one score table a dataset, and its metrics are the voters. Voting is safe where their rankings share a
structure: then the majority relation is acyclic, whichever voters count.
"""

# %%
from __future__ import annotations

import weightlab as wl

suite = wl.datasets.load("classifiers")
metrics = ["accuracy", "accuracy_feature_noise", "accuracy_label_noise"]
audit = wl.studies.audit(suite, metrics=metrics)
audit.verify(suite)

# %%
for name, count in audit.counts.items():
    print(f"  {name:22} {count}")

# %% [markdown]
# Where it fails there is a witness: a few models and metrics that show the cycle or the forbidden pattern.

# %%
print(audit["iris"].claims["condorcet_domain"])

# %% [markdown]
# What is the least to leave out so that the structure holds?

# %%
for repair in audit.repairs:
    print(repair)
