"""Action heads: what a decision consists of and how features become logits."""
