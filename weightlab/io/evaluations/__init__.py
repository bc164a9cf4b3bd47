"""Results as evaluation programs write them: HELM, lm-evaluation-harness, MTEB, Open LLM."""

from __future__ import annotations
