sum-order-title = Why does the order of a sum change its result?
    .nav = The order of a sum
sum-order-why = A kernel adds the same products in another order when the batch changes. In floating point, addition is not associative: another order can be another result.

sum-order-story = Story
sum-order-story-associativity = (a + b) + c and a + (b + c)
sum-order-story-tenth = The sum of ten times 0.1
sum-order-story-swallowed = 512 ones
sum-order-story-cancellation = A large cancellation
sum-order-story-kahan-fails = Where Kahan fails and Neumaier does not
sum-order-story-small-first = Small addends first
sum-order-story-tie-break = Tiny addends that break a tie
sum-order-story-linspace = A dot product that cancels (256 products)
sum-order-story-layer = A logit of SmolLM2, recorded (576 products)
sum-order-addends = Your own addends
    .help = Numbers separated by spaces, commas or new lines, at most 1,024. Empty: the addends of the story.
sum-order-edit = Edit the addends of the story
sum-order-format = Format of inputs and result
    .help = Every addend is rounded to it before the sum, and the sum is rounded to it at the end.
sum-order-accumulator = Accumulator
    .help = Every addition is rounded to this format. A tensor core has BF16 inputs and an FP32 accumulator.
sum-order-partials = Round partial sums to the format
    .help = Split-K writes partial sums to memory. Kept in FP32, or rounded as in cuBLAS's reduced-precision reduction.
sum-order-products = Addends are products
    .help = Products of two inputs go into the accumulator unrounded, as in a dot product.
sum-order-read = { $count ->
    [one] One addend:
   *[other] { $count } addends:
} `{ $start }`{ $more ->
    [yes] …
   *[no] {""}
} { $changed ->
    [0] Each of them is a number of { $format }.
    [one] One of them changes when it is rounded to { $format }.
   *[other] { $changed } of them change when they are rounded to { $format }.
}

sum-order-walk-title = One order, step by step
sum-order-walk = Order
order-sequential = one by one
order-reversed = reversed
order-ascending = smallest first
order-descending = largest first
order-pairwise = pairwise
order-splitk2 = split-K in two
order-splitk4 = split-K in four
order-splitk8 = split-K in eight
order-lanes8 = eight SIMD accumulators
order-atomics8 = eight blocks with atomics
order-shuffled = shuffled
order-kahan = Kahan
order-neumaier = Neumaier
order-byhand = by hand
sum-order-positions = Order by hand, as places
    .help = The places of the addends in the list above, each once: 3 1 2 adds the third first. Empty: as given.
sum-order-arrange = The addends in the order in which they are added
arrange-hint = Drag an addend, or focus it and press the left or right arrow key.
sum-order-one-addend = One addend is its own sum. Type at least two.
sum-order-step = Step
sum-order-result = Result
sum-order-accumulated = In the accumulator
sum-order-exact = Exact sum
sum-order-exact-line = exact sum
sum-order-off = Steps from the right result

sum-order-step-exact = { $left } + { $right } = { $result }. { $format } has this number, nothing is lost.
sum-order-step-rounded = { $left } + { $right } = { $sum }. In { $format } it lies between { $below } and { $above } and becomes { $result }.
sum-order-step-tie = { $left } + { $right } = { $sum }, half-way between { $below } and { $above } in { $format }. The tie goes to the even one, { $result }.
sum-order-step-swallowed = **Swallowed.** { $left } + { $right } = { $sum }. In { $format } it lies between { $below } and { $above } and becomes { $result }: one addend changed nothing.
sum-order-step-partial = Written to memory in { $format } it becomes { $stored }.
sum-order-step-compensated = { $left } + { $right } gives the total { $result }. The correction carried beside it is { $correction }.

sum-order-running = running total
sum-order-running-alt = The running total after each addend beside the exact one; marks show swallowed addends.
sum-order-swallowed = swallowed
sum-order-this-step = this step
sum-order-addends-so-far = addends so far
sum-order-additions = addition
sum-order-total = total
sum-order-lost = rounding error
sum-order-errors-alt = The rounding error of each addition.
sum-order-tree = The tree of the reduction
sum-order-tree-alt = The additions of { $leaves } addends as a tree of height { $height }; marks show exact, rounded and swallowed additions.
sum-order-tree-large = The tree of { $leaves } addends has height { $height }. Trees of up to { $limit } addends are drawn.
sum-order-node-addend = addend
sum-order-node-exact = exact
sum-order-node-rounded = rounded
sum-order-node-swallowed = swallowed

sum-order-compare-title = Orders side by side
sum-order-orders = Orders
sum-order-no-orders = Choose at least one order.
sum-order-groups = { $orders ->
    [one] One order gives
   *[other] { $orders } orders give
} { $results ->
    [one] one result.
   *[other] { $results } different results.
}
sum-order-group = **{ $letter }**, { $value }:
sum-order-result-right = the exact sum, rounded once
sum-order-result-off = another result
sum-order-outcomes-alt = The result of every order; the dashed line is the exact sum.
sum-order-outcomes-title = Results
sum-order-bounds-title = Error in the accumulator, and its bound
sum-order-error = error
sum-order-bound = bound
sum-order-error-axis = size of the error
sum-order-bounds-alt = For every order the size of its error and the theoretical bound beside it.
sum-order-bounds-note = The bound holds before anything is added. It follows each addend through its own additions (Higham 2002, section 4.2), and for Kahan and Neumaier it is their textbook bound. It counts the additions only, not the rounding of the result. A hollow mark at the left edge is an error of 0. Where a bound would be infinite, none is drawn.

sum-order-random-title = Random orders
sum-order-samples = How many orders
sum-order-seed = Seed
sum-order-view = Show
sum-order-view-results = results
sum-order-view-sums = sums in the accumulator
sum-order-spread = { $count } random orders give { $results ->
    [one] one result
   *[other] { $results } different results
} and { $sums ->
    [one] one sum
   *[other] { $sums } different sums
} in the accumulator. The most frequent result is { $commonest }, in { $share } of the orders.
sum-order-share = share of the orders
sum-order-spread-alt = How often each result comes among { $count } random orders.
sum-order-sampling = Sampled: one accumulator, the addends one by one in a random order, each order equally likely. Up to 1,024 orders are drawn independently. Beyond, an order is the product of two drawn ones: any two are still independent, three or more are not, so shares are right on average and as certain as with independent draws.
sum-order-example-low = Walk an order that gives { $value }
sum-order-example-high = Walk an order that gives { $value }

sum-order-column-step = Step
sum-order-column-left = Left
sum-order-column-right = Right
sum-order-column-exact = Exact
sum-order-column-result = Result
sum-order-column-error = Error
sum-order-column-error_gaps = Error in gaps
sum-order-column-tie = Tie
sum-order-column-swallowed = Swallowed
sum-order-column-correction = Correction
sum-order-column-group = Group
sum-order-column-order = Order
sum-order-column-accumulated = In the accumulator
sum-order-column-bound = Bound
sum-order-column-ulps_off = Steps off
sum-order-column-key = Name in the code
sum-order-column-height = Tree height

sum-order-notice-order = Nothing but the order differs. Every single addition is rounded correctly.
sum-order-notice-output = An FP32 accumulator makes the sums differ in late digits only. One rounding to BF16 at the end hides the difference, or turns it into a whole step where the sum lies near a tie.
sum-order-notice-bound = The bound grows with the height of the tree. Pairwise sums and split-K are lower trees than one long chain.

sum-order-try-swallowed = Add 512 ones in BF16, one by one and split in eight: 256 and 512.
sum-order-try-layer = Take a real logit and round its partial sums to BF16: how far does the split move the sum?
sum-order-try-kahan = Add 1, 1e30, 1, -1e30 with Kahan: what does the correction hold?
