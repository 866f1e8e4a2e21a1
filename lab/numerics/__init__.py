"""How a forward pass is computed: rounding, reduction schedules, kernels, lanes."""
