paper-results-title = آیا فرمول همان را می‌گوید که مقاله اندازه گرفت؟
    .nav = نتایج مقاله
paper-results-why = مقاله هر ضریب تسریع را از α و γ و c پیش‌بینی می‌کند و سپس اندازه می‌گیرد. هر دو اینجا هستند، پیش‌بینی همین حالا دوباره حساب می‌شود، و همین برای این دستگاه هم هست.

paper-results-conditions = { $paper }، ICML ۲۰۲۳. مدل هدف T5-XXL با ۱۱ میلیارد پارامتر، اندازهٔ دسته ۱، یک TPU-v4. کارها: ترجمهٔ انگلیسی به آلمانی (EnDe) و خلاصه (CNNDM)؛ برای α متن آزاد (lm1b) و گفت‌وگو (dialog) هم هست.
paper-results-task = کار
paper-results-task-all = همه
paper-results-draft = پیش‌نویس
paper-results-draft-all = همه
paper-results-temperature = دما
paper-results-temperature-all = همه
paper-results-own-kind = نوع پرامپت
paper-results-own-kind-all = همه
paper-results-own-draft = پیش‌نویس
paper-results-own-draft-all = همه
paper-results-own-temperature = دما
paper-results-own-temperature-all = همه
paper-results-none = در این جدول چیزی با این انتخاب‌ها جور نیست.

paper-results-speedups = جدول‌های ۲ و ۴: پیش‌بینی در برابر اندازه‌گیری
paper-results-speedups-told = در { $above } سطر از { $rows } سطر، ضریب تسریع اندازه‌گیری‌شده بالاتر از پیش‌بینی است. روی خط‌چین با هم برابرند. رنگ نشان‌دهندهٔ کار است و شکل نشان‌دهندهٔ پیش‌نویس؛ نشان‌های توخالی در دمای ۱ هستند.
paper-results-speedups-alt = ضریب تسریع پیش‌بینی‌شدهٔ هر اجرا با قضیهٔ ۳٫۸ در برابر اندازه‌گیری. همین عددها در جدول هم هست.
paper-results-rounded = محاسبهٔ دوباره: قضیهٔ ۳٫۸ با α و γ و c چاپ‌شده. سه سطر ۰٫۱ کمتر از عدد چاپ‌شده می‌شوند (EnDe با T5-base و T5-large در دمای ۱، و CNNDM با T5-large در دمای ۱): α و c پیش از چاپ گرد شده بودند.
paper-results-diagonal = اندازه‌گیری = پیش‌بینی
paper-results-axis-expected = ضریب تسریع پیش‌بینی‌شده
paper-results-axis-measured = ضریب تسریع اندازه‌گیری‌شده

paper-results-alphas = جدول ۳: نرخ‌های پذیرش
paper-results-alphas-told = α میانگین $\sum \min(p, q)$ روی توکن‌هایی است که خود هدف ساخته است. حتی جدولی از جفت‌واژه‌ها هم گاهی پذیرفته می‌شود.
paper-results-alphas-alt = α هر پیش‌نویس و هر کار، در دمای ۰ و ۱. همین عددها در جدول هم هست.
paper-results-alphas-table = جدول ۳

paper-results-own = همین جدول از این دستگاه
paper-results-no-recording = هنوز اندازه‌گیری ضبط‌شده‌ای نیست. این فرمان یکی ضبط می‌کند:
paper-results-own-told = { $runs } اجرا. میانگین فاصلهٔ پیش‌بینی از ضریب تسریع اندازه‌گیری‌شده: { $theorem } درصد با قضیهٔ ۳٫۸، { $with_v } درصد با v این دستگاه، { $by_position } درصد با v و پذیرشِ اندازه‌گیری‌شده در هر جایگاه.
paper-results-own-alt = ضریب تسریع پیش‌بینی‌شده در برابر اندازه‌گیری‌شده برای هر اجرای این دستگاه: نشان‌های توخالی با قضیهٔ ۳٫۸، توپُرها با v اندازه‌گیری‌شده. همین عددها در جدول هم هست.
paper-results-point-theorem = { $draft }، قضیهٔ ۳٫۸
paper-results-point-with-v = { $draft }، با v

paper-results-operations = جدول ۱: عملیات و ضریب تسریع
paper-results-operations-note = برای پیش‌نویسی که هزینه ندارد: c = ĉ = ۰. عملیات برای هر توکن است، در برابر رمزگشایی ساده.
paper-results-lenience = پیوست A۵: سهل‌گیری
paper-results-lenience-note = تقریبی: وقتی l از ۱ کمتر است خروجی دیگر توزیع مدل هدف را ندارد، و دست‌کم به اندازهٔ آنچه α به دست می‌آورد از آن دور می‌شود. ترجمهٔ انگلیسی به آلمانی؛ T دماست و ستون‌های دیگر α برای هر سهل‌گیری l.
paper-results-lenience-greedy = سطر آخر با γ = ۸ و c = ۰٫۰۱۵. عددهای تسریع که مقاله برای دمای ۱ چاپ کرده اینجا نیست: از آنچه قضیهٔ ۳٫۸ با هر γ‌ای می‌دهد بالاترند.

paper-results-notice-above = خلاصه‌ها سریع‌تر از پیش‌بینی‌اند، با T5-small ضریب ۳٫۱ به جای ۲٫۴. فرمول پذیرش‌ها را مستقل می‌گیرد. یک علت ممکن این است که متن آسان پشت سر هم می‌آید: آنجا یک دور با همان α توکن بیشتری می‌دهد.
paper-results-notice-large = T5-large بالاترین α و پایین‌ترین ضریب تسریع را دارد: با c = ۰٫۱۱ پیش‌نویس‌هایش بیش از آنچه می‌آورند هزینه دارند. بهترین پیش‌نویس حدود صد بار کوچک‌تر از هدف بود.
paper-results-notice-c = متن مقاله می‌گوید c همیشه کمتر از ۰٫۰۵ بود. جدول ۴ برای T5-large عدد ۰٫۱۱ دارد.
paper-results-notice-sharp = α بیشتر وقت‌ها در دمای ۰ بالاتر است. هر قدر توزیع هدف تیزتر باشد حدس زدن آن آسان‌تر است.

paper-results-try-large = تنها T5-large را ببینید: اندازه‌گیری چقدر زیر پیش‌بینی است؟
paper-results-try-summaries = خلاصه‌ها را در دمای ۰ ببینید: کدام اجرا بیش از همه از پیش‌بینی جلو می‌زند؟
paper-results-try-bigram = پیش‌نویس bigram را ببینید: α در ترجمه حدود ۰٫۲ است. پیوند زیر همان پیش‌نویس را با γ = ۳ باز می‌کند که یک‌چهارم سود می‌دهد.

paper-results-column-task = کار
paper-results-column-draft = پیش‌نویس
paper-results-column-temperature = دما
paper-results-column-gamma = γ
paper-results-column-alpha = α
paper-results-column-c = c
paper-results-column-recomputed = پیش‌بینی (قضیهٔ ۳٫۸)
paper-results-column-printed = پیش‌بینی چاپ‌شده
paper-results-column-measured = اندازه‌گیری
paper-results-column-ratio = اندازه‌گیری ÷ پیش‌بینی
paper-results-column-target = هدف
paper-results-column-alpha_t0 = α در دمای ۰
paper-results-column-alpha_t1 = α در دمای ۱
paper-results-column-operations_printed = عملیات چاپ‌شده
paper-results-column-operations = عملیات
paper-results-column-speedup_printed = تسریع چاپ‌شده
paper-results-column-speedup = ضریب تسریع
paper-results-column-lenience = سهل‌گیری l
paper-results-column-distance = فاصله از توزیع هدف، دست‌کم
paper-results-column-kind = نوع پرامپت
paper-results-column-batch = اندازهٔ دسته
paper-results-column-alpha_error = خطای معیار α
paper-results-column-v = v
paper-results-column-tokens = توکن در هر گذر
paper-results-column-with_v = با v
paper-results-column-by_position = با v، جایگاه به جایگاه
paper-results-column-low = چارک اول
paper-results-column-high = چارک سوم
