bf16-title = What is a BF16 number?
    .nav = A BF16 number
bf16-why = Models keep weights and activations in 16 bits. Which numbers exist there, and how far apart they are, decides every rounding in this lab.

format-bf16 = BF16
format-fp16 = FP16
format-fp32 = FP32
format-fp8_e4m3 = FP8 E4M3
format-fp8_e5m2 = FP8 E5M2

bf16-number = Number
    .help = 0.1, 1e-3, inf, nan, -0 or 0x1.8p-3, in Western, Arabic-Indic or Persian digits. It is read exactly and rounded once.
bf16-format = Format

bf16-bits = The bits in { $format }
bf16-bits-hint = Press a bit to turn it over. Under each bit stands what it is worth: in the exponent a number to add up, in the mantissa a part of the significand.
bf16-field-sign = sign: { $value }
bf16-field-exponent = exponent: { $value } (bias { $bias })
bf16-field-mantissa = mantissa: { $value } of { $of }
bf16-down = Next smaller
bf16-up = Next larger
bf16-negate = Change the sign
bf16-value = Stored value
bf16-hex = Bits in hexadecimal
bf16-kind = Kind
bf16-kind-zero = zero
bf16-kind-subnormal = subnormal
bf16-kind-normal = normal
bf16-kind-infinity = infinity
bf16-kind-nan = not a number
bf16-gap = Gap to the next number
bf16-error = Stored minus typed

bf16-exact = { $format } has this number. Nothing is lost.
bf16-nearest = The typed number lies between { $below } and { $above }, which are neighbours in { $format }. The nearer one is { $result }. The error is { $share } of the gap (1 gap = 1 ulp here).
bf16-tie = The typed number lies exactly half-way between { $below } and { $above }, which are neighbours in { $format }. A tie goes to the neighbour whose last bit is 0: { $result }. The error is { $share } of the gap, the largest possible.
bf16-overflow-infinity = The typed number is too large: the largest number of { $format } is { $largest }. It becomes infinity.
bf16-overflow-nan = The typed number is too large: the largest number of { $format } is { $largest }. This format has no infinity, so it becomes NaN.
bf16-kept-infinity = { $format } has infinity: all exponent bits are 1 and the mantissa is 0.
bf16-kept-nan = This pattern is not a number (NaN). Several patterns of { $format } mean NaN, and NaN is not equal to anything, not even to itself.

bf16-single = FP32 beside it
bf16-single-alt = The bits in FP32. Kept in BF16: { $kept }. Dropped: { $dropped }.
bf16-single-special = Infinity and NaN keep their meaning when the lower 16 bits go.
bf16-dropped-none = FP32 has 16 bits more. Here they are all 0, so BF16 loses nothing.
bf16-dropped-stay = BF16 drops the lower 16 bits, `{ $bits }`. They are worth { $count } of 65,536 parts of the last kept bit: less than half. The kept bits stay as they are.
bf16-dropped-up = BF16 drops the lower 16 bits, `{ $bits }`. They are worth { $count } of 65,536 parts of the last kept bit: more than half. So the kept bits go up by one.
bf16-dropped-tie-stay = BF16 drops the lower 16 bits, `{ $bits }`: exactly half of the last kept bit, a tie. The last kept bit is 0 already, so it stays.
bf16-dropped-tie-up = BF16 drops the lower 16 bits, `{ $bits }`: exactly half of the last kept bit, a tie. The last kept bit is 1, so the kept bits go up by one and it becomes 0.
bf16-dropped-carry = All seven mantissa bits were 1, so the one carries into the exponent: the number moves up to the next power of two.
bf16-double = Rounded to FP32 first and to BF16 afterwards, the number becomes { $result }. Two roundings can differ from one.

bf16-line = The numbers around it
bf16-zoom = Zoom out
    .help = The window shows 2^z gaps on either side.
bf16-line-alt = A number line around { $value }. Its neighbours are { $gap } apart. Each row shows the numbers of one format.
bf16-line-none = { $value } has no place on the number line.
bf16-line-thinned = { $format }, 1 of { $stride }
bf16-line-stored = stored
bf16-line-typed = typed

bf16-swallow = Addends that vanish
bf16-total = Total
bf16-addend = Addend
bf16-times = Times to add it
    .help = The second picture starts at 0 and adds the addend this many times.
bf16-add-special = Infinity and NaN swallow everything. Give two finite numbers.
bf16-add-overflow = The sum is larger than the largest number of { $format }.
bf16-add-exact = The sum is { $sum }, which { $format } has. Nothing is lost.
bf16-add-rounded = The exact sum is { $sum }. It lies between { $below } and { $above } in { $format } and becomes { $result }.
bf16-add-swallowed = **Swallowed.** The exact sum is { $sum }. It lies between { $below } and { $above } in { $format } and becomes { $result }: the total stays as it was.
bf16-add-limit = At { $total }, every addend of the same sign that is smaller than { $half } (half the gap) vanishes.
bf16-repeat-alt = The running total of { $addend }, added { $times } times in { $format }, beside the exact total.
bf16-repeat-exact = exact
bf16-repeat-stop = stops here
bf16-repeat-count = additions
bf16-repeat-total = running total
bf16-repeat-stopped = Starting from 0 and adding { $addend } again and again, the total stops growing after { $count } addends. From there each one is swallowed.

bf16-column-chosen = Here
bf16-column-format = Format
bf16-column-value = Value
bf16-column-bits = Bits
bf16-column-hex = Hexadecimal
bf16-column-error = Stored minus typed
bf16-column-error_gaps = Error in gaps
bf16-column-gap = Gap to the next
bf16-column-largest = Largest number

bf16-notice-exponent = BF16 is the upper half of FP32. The exponent is the same, so the range is the same; 16 bits of mantissa are gone.
bf16-notice-gap = The gap doubles at every power of two. Between 16 and 32 it is 0.125 in BF16: two logits there are equal or at least 0.125 apart.
bf16-notice-swallow = An addend smaller than half the gap of the total vanishes. So a sum depends on when its small addends come.

bf16-try-tie = Type 257: it lies half-way between two numbers of BF16.
bf16-try-carry = Type 1.998: the rounding carries through the whole mantissa.
bf16-try-subnormal = Type 1e-40: below the smallest normal number, the gap no longer shrinks.
bf16-try-stop = Add 1 again and again in FP8 E4M3: where does the total stop?
