"""How tokens are chosen: sampling, batching, and records of every step."""
