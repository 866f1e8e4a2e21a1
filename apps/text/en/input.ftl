# What is said of refused input; the ids are the keys of sims.errors.InputError.

input-not_a_number = “{ $piece }” is not a number. Write numbers like 0.1, 1e-3, -0, inf or nan, separated by spaces or commas. A comma never stands for a decimal point.
input-no_number = The field is empty. Type a number such as 0.1, 1e-3, -0, inf or nan.
input-number_too_long = A number has { $length } characters. Use at most { $limit }.
input-exponent_too_large = The exponent of “{ $piece }” is too large. Use an exponent between -{ $limit } and { $limit }, or 0 or inf.
input-empty_list = The list is empty. Type at least one number.
input-too_many = The list has { $count } numbers. Use at most { $limit }.
input-far_too_many = The list has about { $count } numbers. Use at most { $limit }.
input-not_finite = “{ $piece }” has no exact sum with other numbers. Remove it or give a finite number.
input-overflow = The sum overflows { $format } on the way. Use smaller addends or a wider format.
input-input_overflow = “{ $piece }” is beyond the largest number of { $format }, { $largest }. Use a smaller addend or a wider format.
input-positions = The order by hand has to name each place from 1 to { $count } once. It was set aside; the addends stand as given.
