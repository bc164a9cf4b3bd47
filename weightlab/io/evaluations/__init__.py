"""Results as evaluation programs write them: HELM, lm-evaluation-harness, MTEB, Open LLM."""
