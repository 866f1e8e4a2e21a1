neighbours-title = پرامپت همان، همسایه‌ها دیگر: آیا پاسخ همان است؟
    .nav = همسایه‌های دیگر
neighbours-why = سرور پرامپت شما را همراه پرامپت دیگران رمزگشایی می‌کند. همراهان اندازهٔ دسته را تغییر می‌دهند، اندازهٔ دسته ترتیب جمع‌ها را، و در BF16 همین می‌تواند یک توکن را تغییر دهد.

neighbours-prompt = پرامپت
neighbours-prompt-sky = چرا آسمان آبی است؟ (انگلیسی)
neighbours-prompt-lighthouse = داستانی دربارهٔ نگهبان فانوس دریایی
neighbours-prompt-sum = جمع دو عدد، گام‌به‌گام
neighbours-prompt-reverse = وارونه‌کردن فهرست در Python
neighbours-prompt-copper = سه کاربرد مس
neighbours-prompt-letter = نامه‌ای دربارهٔ پرچین
neighbours-prompt-tides = جزر و مد از چیست؟
neighbours-prompt-soup = دستور پخت سوپ عدس
neighbours-prompt-own = پرامپت خودتان…
neighbours-own-prompt = پرامپت شما
neighbours-company = همسایه‌ها
    .help = چه پرامپت‌هایی در همان دسته‌اند. حتی رونوشت‌های خود پرامپت هم اندازهٔ دسته را تغییر می‌دهند.
neighbours-company-others = پرسش‌های دیگر
neighbours-company-copies = رونوشت‌های همین پرامپت
neighbours-company-own = همسایه‌های خودتان…
neighbours-own-company = همسایه‌های شما، هر پرامپت در یک سطر
neighbours-batches = اندازه‌های دسته
    .help = یک یا چند اندازه از ۲ تا ۶۴، مانند `2, 8, 32`. هر یک با اجرای تنهای پرامپت مقایسه می‌شود.
neighbours-length = توکن‌های تازه
neighbours-lane = لاین
    .help = شیوهٔ محاسبه. bf16-emulated مانند GPU حساب می‌کند و ترتیب جمع را زمان‌بندی زیر تعیین می‌کند. fp32 و bf16-invariant یک ترتیب ثابت دارند. bf16-native همان است که torch روی این دستگاه انجام می‌دهد.
neighbours-more = همسایه‌ها و زمان‌بندی
neighbours-schedule = **آنچه دسته در bf16-emulated می‌تواند تغییر دهد.** هر کلید ترتیب جمع یک عملگر را به دسته وابسته می‌کند.
neighbours-linears = لایه‌های خطی (split-K)
neighbours-attention = توجه (split-KV)
neighbours-norm = RMSNorm (اندازهٔ بلوک)
neighbours-split-k = جدول split-K
    .help = جفت‌های سطر:تقسیم. `1:4,8:2` یعنی: یک سطر، چهار جمع جزئی؛ تا ۸ سطر، دو؛ بیشتر از آن، یک.
neighbours-partials = گرد کردن جمع‌های جزئی به BF16
    .help = کاهش با دقت کمتر در cuBLAS. در غیر این صورت جمع‌های جزئی در FP32 می‌مانند.
neighbours-forced = پیروی از توکن‌های اجرای تنها
    .help = اجرای دسته‌ای از توکن‌های اجرای تنها پیروی می‌کند تا در هر گام دو متن یکسان مقایسه شوند.
neighbours-arrive = گام میان ورودها
    .help = ۰: همهٔ همسایه‌ها از آغاز هستند. بیشتر: یکی‌یکی می‌پیوندند و دسته بزرگ می‌شود.

neighbours-trace = باز کردن ردِّ ذخیره‌شده
neighbours-open = ردِّ اجرای همین صفحه (JSONL)
neighbours-save = ردِّ اجرا (JSONL)
neighbours-recorded = ردِّ ضبط‌شده: «{ $prompt }»، { $length } توکن در { $lane }، تنها و در دسته‌های { $batches }.

neighbours-alone = تنها
neighbours-beside = در دستهٔ { $batch }تایی
neighbours-margin = حاشیه { $margin }
neighbours-delta = حاشیه در اجرای تنها { $margin }، بیشترین |Δlogit| برابر { $delta }
neighbours-parted = از اینجا متن‌ها فرق دارند و لوجیت‌ها قابل مقایسه نیستند
neighbours-same-bits = **دستهٔ { $batch }تایی: همان بیت‌ها.** لوجیت‌های هر { $compared } گامِ مقایسه‌شده برابرند.
neighbours-same = **دستهٔ { $batch }تایی: توکن‌ها همان، لوجیت‌ها دیگر.** در { $compared } گام، بیشترین |Δlogit| برابر { $epsilon } و کمترین حاشیه { $margin } است.
neighbours-differ = **دستهٔ { $batch }تایی: توکنی دیگر در گام { $first }.** { $flips ->
    [one] یک تغییر توکن
   *[other] { $flips } تغییر توکن
} در { $compared } گامِ مقایسه‌شده؛ بیشترین |Δlogit| برابر { $epsilon } و کمترین حاشیه { $margin } است.

neighbours-chart = حاشیهٔ اجرای تنها در هر گام، همراه بیشترین تغییر لوجیت در هر دسته
neighbours-chart-margin = حاشیه در اجرای تنها
neighbours-chart-delta = بیشترین |Δlogit|، دستهٔ { $batch }تایی
neighbours-chart-flip = تغییر توکن
neighbours-chart-step = گام
neighbours-chart-logits = لوجیت

neighbours-notice-first = گام نخست برابر است: پرامپت در هر دو اجرا به‌تنهایی خورانده می‌شود. از گام دوم به بعد، شکل دسته فرق می‌کند.
neighbours-notice-margin = توکن تنها جایی تغییر می‌کند که حاشیه کوچک باشد: حداکثر دو برابر بیشترین تغییر یک لوجیت. بیشتر گام‌ها از آن بسیار دورند.
neighbours-notice-delta = لوجیت‌ها تقریباً در هر گام تغییر می‌کنند، هرچند توکن‌ها نه. لوجیت‌های BF16 از ۱۶ تا ۳۲ روی شبکه‌ای با گام ۰٫۱۲۵ می‌نشینند، پس تغییرها هم به همین اندازه‌ها هستند.

neighbours-try-fp32 = لاین fp32 را برگزینید و اجرا کنید: با هر همسایه‌ای، همهٔ Δها صفرند.
neighbours-try-copies = همسایه‌ها را رونوشت خود پرامپت بگذارید: باز هم اندازهٔ دسته دیگر است.
neighbours-try-forced = توکن‌ها را از اجرای تنها بگیرید، با دسته‌های ۲ و ۸ و ۳۲، و تغییرهای همهٔ گام‌ها را بشمارید.

neighbours-column-batch = دسته
neighbours-column-step = گام
neighbours-column-sequences = دنباله‌های همان گام
neighbours-column-alone = توکن، تنها
neighbours-column-beside = توکن، در دسته
neighbours-column-flip = تغییر
neighbours-column-max_delta = بیشترین |Δlogit|
neighbours-column-alone_margin = حاشیه، تنها
neighbours-column-beside_margin = حاشیه، در دسته
neighbours-column-alone_id = شناسه، تنها
neighbours-column-beside_id = شناسه، در دسته
