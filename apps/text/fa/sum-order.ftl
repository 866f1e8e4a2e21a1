sum-order-title = چرا ترتیب جمع نتیجهٔ آن را عوض می‌کند؟
    .nav = ترتیب جمع
sum-order-why = وقتی دسته تغییر می‌کند، هسته همان حاصل‌ضرب‌ها را به ترتیب دیگری جمع می‌زند. جمع ممیز شناور شرکت‌پذیر نیست: ترتیب دیگر می‌تواند نتیجهٔ دیگری باشد.

sum-order-story = داستان
sum-order-story-associativity = ‎(a + b) + c و a + (b + c)‎
sum-order-story-tenth = مجموع ده بار ۰٫۱
sum-order-story-swallowed = ۵۱۲ تا یک
sum-order-story-cancellation = یک حذف بزرگ
sum-order-story-kahan-fails = جایی که Kahan ناکام می‌ماند و Neumaier نه
sum-order-story-small-first = نخست جمله‌های کوچک
sum-order-story-tie-break = جمله‌های ریزی که تساوی را می‌شکنند
sum-order-story-linspace = ضرب داخلی با جمله‌های حذف‌شونده (۲۵۶ حاصل‌ضرب)
sum-order-story-layer = یک لوجیت SmolLM2، ضبط‌شده (۵۷۶ حاصل‌ضرب)
sum-order-addends = جمله‌های خودتان
    .help = عددهایی که با فاصله، ویرگول یا سطر تازه جدا شده‌اند، حداکثر ۱٬۰۲۴ تا. اگر خالی باشد، جمله‌های داستان.
sum-order-edit = ویرایش جمله‌های داستان
sum-order-format = قالب ورودی‌ها و نتیجه
    .help = هر جمله پیش از جمع، و مجموع در پایان، به این قالب گرد می‌شود.
sum-order-accumulator = انباره
    .help = هر جمع به این قالب گرد می‌شود. هستهٔ تنسوری (tensor core) ورودی‌های BF16 و انبارهٔ FP32 دارد.
sum-order-partials = گرد کردن جمع‌های جزئی به قالب
    .help = تقسیم K جمع‌های جزئی را در حافظه می‌نویسد: یا در FP32 می‌مانند، یا مانند کاهش کم‌دقت cuBLAS گرد می‌شوند.
sum-order-products = جمله‌ها حاصل‌ضرب‌اند
    .help = حاصل‌ضرب دو ورودی، مانند ضرب داخلی، بدون گرد شدن به انباره می‌رود.
sum-order-read = شمار جمله‌ها { $count }: `{ $start }`{ $more ->
    [yes] …
   *[no] {""}
} { $changed ->
    [0] همهٔ آن‌ها از عددهای { $format } هستند.
   *[other] با گرد کردن به { $format }، { $changed } تا از آن‌ها تغییر می‌کند.
}

sum-order-walk-title = یک ترتیب، گام به گام
sum-order-walk = ترتیب
order-sequential = یکی پس از دیگری
order-reversed = وارونه
order-ascending = نخست کوچک‌ترها
order-descending = نخست بزرگ‌ترها
order-pairwise = جفت جفت
order-splitk2 = تقسیم K به دو
order-splitk4 = تقسیم K به چهار
order-splitk8 = تقسیم K به هشت
order-lanes8 = هشت انبارهٔ SIMD
order-atomics8 = هشت بلوک با عملیات اتمی
order-shuffled = برخورده
order-kahan = Kahan
order-neumaier = Neumaier
order-byhand = دستی
sum-order-positions = ترتیب دستی، با شمارهٔ جایگاه‌ها
    .help = جایگاه جمله‌ها در فهرست بالا، هر کدام یک بار: `3 1 2` نخست سومی را می‌افزاید. اگر خالی باشد، همان‌گونه که داده شده.
sum-order-arrange = جمله‌ها به ترتیبی که جمع می‌شوند
arrange-hint = جمله‌ای را بکشید، یا آن را در کانون بگیرید و کلید پیکان چپ یا راست را بزنید.
sum-order-one-addend = یک جمله خود مجموع خویش است. دست‌کم دو جمله بنویسید.
sum-order-step = گام
sum-order-result = نتیجه
sum-order-accumulated = در انباره
sum-order-exact = مجموع دقیق
sum-order-exact-line = مجموع دقیق
sum-order-off = فاصله از نتیجهٔ درست، به گام

sum-order-step-exact = {"\u2066"}{ $left } + { $right } = { $result }{"\u2069"}. { $format } این عدد را دارد و چیزی از دست نمی‌رود.
sum-order-step-rounded = {"\u2066"}{ $left } + { $right } = { $sum }{"\u2069"}. در { $format } میان { $below } و { $above } است و { $result } می‌شود.
sum-order-step-tie = {"\u2066"}{ $left } + { $right } = { $sum }{"\u2069"}، درست در میانهٔ { $below } و { $above } در { $format }. در تساوی، عدد زوج گرفته می‌شود: { $result }.
sum-order-step-swallowed = **بلعیده شد.** {"\u2066"}{ $left } + { $right } = { $sum }{"\u2069"}. در { $format } میان { $below } و { $above } است و { $result } می‌شود: یکی از دو جمله چیزی را عوض نکرد.
sum-order-step-partial = با نوشته شدن در حافظه به صورت { $format }، { $stored } می‌شود.
sum-order-step-compensated = {"\u2066"}{ $left } + { $right }{"\u2069"} جمع { $result } را می‌دهد. تصحیحی که در کنارش نگه داشته می‌شود { $correction } است.

sum-order-running = جمع جاری
sum-order-running-alt = جمع جاری پس از هر جمله در کنار جمع دقیق؛ نشانه‌ها جمله‌های بلعیده را نشان می‌دهند.
sum-order-swallowed = بلعیده
sum-order-this-step = این گام
sum-order-addends-so-far = جمله‌ها تا اینجا
sum-order-additions = شمارهٔ جمع
sum-order-total = جمع
sum-order-lost = خطای گرد کردن
sum-order-errors-alt = خطای گرد کردن در هر جمع.
sum-order-tree = درخت کاهش
sum-order-tree-alt = جمع‌های { $leaves } جمله به شکل درختی با بلندی { $height }؛ نشانه‌ها دقیق، گردشده و بلعیده را جدا می‌کنند.
sum-order-tree-large = درخت { $leaves } جمله بلندی { $height } دارد. درخت‌ها تا { $limit } جمله رسم می‌شوند.
sum-order-node-addend = جمله
sum-order-node-exact = دقیق
sum-order-node-rounded = گردشده
sum-order-node-swallowed = بلعیده

sum-order-compare-title = ترتیب‌ها در کنار هم
sum-order-orders = ترتیب‌ها
sum-order-no-orders = دست‌کم یک ترتیب برگزینید.
sum-order-groups = از { $orders } ترتیب، { $results } نتیجهٔ متفاوت به دست می‌آید.
sum-order-group = **{ $letter }**، { $value }:
sum-order-result-right = مجموع دقیق که یک بار گرد شده
sum-order-result-off = نتیجهٔ دیگر
sum-order-outcomes-title = نتیجه‌ها
sum-order-outcomes-alt = نتیجهٔ هر ترتیب؛ خط‌چین مجموع دقیق است.
sum-order-bounds-title = خطا در انباره و کران آن
sum-order-error = خطا
sum-order-bound = کران
sum-order-error-axis = اندازهٔ خطا
sum-order-bounds-alt = برای هر ترتیب، اندازهٔ خطا و کران نظری در کنار آن.
sum-order-bounds-note = کران پیش از هر جمعی معلوم است. هر جمله را در جمع‌های خودش دنبال می‌کند (Higham ‏۲۰۰۲، بخش ۴٫۲) و برای Kahan و Neumaier همان کران کتاب‌هاست. تنها جمع‌ها را می‌شمارد، نه گرد کردن نتیجه را. نشانهٔ توخالی در لبهٔ چپ، خطای صفر است. جایی که کران بی‌نهایت باشد چیزی رسم نمی‌شود.

sum-order-random-title = ترتیب‌های تصادفی
sum-order-samples = شمار ترتیب‌ها
sum-order-seed = بذر
sum-order-view = نمایش
sum-order-view-results = نتیجه‌ها
sum-order-view-sums = جمع‌ها در انباره
sum-order-spread = از { $count } ترتیب تصادفی، { $results } نتیجهٔ متفاوت و در انباره { $sums } جمع متفاوت به دست می‌آید. فراوان‌ترین نتیجه { $commonest } است، در { $share } از ترتیب‌ها.
sum-order-share = سهم ترتیب‌ها
sum-order-spread-alt = هر نتیجه در میان { $count } ترتیب تصادفی چند بار می‌آید.
sum-order-sampling = شیوهٔ نمونه‌برداری: یک انباره، جمله‌ها یکی پس از دیگری به ترتیبی تصادفی، و همهٔ ترتیب‌ها هم‌احتمال. تا ۱٬۰۲۴ ترتیب مستقل کشیده می‌شوند. از آن بیشتر، هر ترتیب ترکیب دو ترتیب کشیده‌شده است: هر دو تای آن‌ها هنوز مستقل‌اند ولی سه تا و بیشتر نه؛ پس سهم‌ها به طور میانگین درست‌اند و همان اندازه مطمئن که در کشیدن مستقل.
sum-order-example-low = پیمودن ترتیبی که { $value } می‌دهد
sum-order-example-high = پیمودن ترتیبی که { $value } می‌دهد

sum-order-column-step = گام
sum-order-column-left = چپ
sum-order-column-right = راست
sum-order-column-exact = دقیق
sum-order-column-result = نتیجه
sum-order-column-error = خطا
sum-order-column-error_gaps = خطا بر حسب فاصله
sum-order-column-tie = تساوی
sum-order-column-swallowed = بلعیده
sum-order-column-correction = تصحیح
sum-order-column-group = گروه
sum-order-column-order = ترتیب
sum-order-column-accumulated = در انباره
sum-order-column-bound = کران
sum-order-column-ulps_off = فاصله به گام
sum-order-column-key = نام در کد
sum-order-column-height = بلندی درخت

sum-order-notice-order = چیزی جز ترتیب فرق نمی‌کند. هر جمع به تنهایی درست گرد شده است.
sum-order-notice-output = با انبارهٔ FP32 جمع‌ها تنها در رقم‌های پایانی فرق می‌کنند. یک بار گرد کردن به BF16 در پایان، این تفاوت را پنهان می‌کند، یا جایی که مجموع نزدیک تساوی است از آن گامی کامل می‌سازد.
sum-order-notice-bound = کران با بلندی درخت بزرگ می‌شود. جمع جفت جفت و تقسیم K درخت‌هایی کوتاه‌تر از یک زنجیر بلندند.

sum-order-try-swallowed = ۵۱۲ تا یک را در BF16، یکی پس از دیگری و تقسیم‌شده به هشت، جمع کنید: ۲۵۶ و ۵۱۲.
sum-order-try-layer = یک لوجیت واقعی بردارید و جمع‌های جزئی آن را به BF16 گرد کنید: تقسیم، مجموع را چه اندازه جابه‌جا می‌کند؟
sum-order-try-kahan = ‏`1`، `1e30`، `1` و `-1e30` را با Kahan جمع کنید: تصحیح چه چیزی در خود دارد؟
