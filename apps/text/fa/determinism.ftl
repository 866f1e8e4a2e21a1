determinism-title = قطعی بودن چه هزینه‌ای دارد؟
    .nav = هزینهٔ قطعی بودن
determinism-why = هر راهی که نگذارد همسایه پاسخ شما را تغییر دهد هزینه‌ای دارد. اینجا همهٔ راه‌ها همان پرامپت‌ها را رمزگشایی می‌کنند: چه چیزی برابر می‌ماند و هر توکن چقدر بیشتر طول می‌کشد.

determinism-strategies = راهبردها
    .help = bf16: بدون بازبینی. fp32 و bf16-invariant: محاسبه‌ای که دسته آن را تغییر نمی‌دهد. every-step و `window-16` و `window-32` و `window-64`: بازبین FP32 همهٔ توکن‌ها را بازپخش می‌کند، پس از هر توکن یا وقتی پنجره پر شد، مانند `LLM-42`. margingate: سیاست مقاله، با صف یا بدون آن. replay: راه همین آزمایشگاه، بازبینی با حافظهٔ خودش که هر جا حاشیه کوچک است نگاه می‌کند.
determinism-batches = اندازه‌های دسته
    .help = دسته‌های واقعی: درخواست‌ها وارد می‌شوند همچنان که دیگران می‌روند.
determinism-prompts = پرامپت‌ها
determinism-length = توکن‌های تازه
determinism-tau = آستانهٔ τ
    .help = توکنی که حاشیهٔ لوجیت آن حداکثر τ باشد نگاهی می‌خواهد. برای margingate و replay.
determinism-window = پنجره
    .help = replay حداکثر پس از این تعداد توکن بازبینی‌نشدهٔ یک سطر نگاه می‌کند؛ صف margingate-queued هم همین‌طور.
determinism-pass = اندازهٔ گذر
    .help = replay صبر می‌کند تا سطرهای علامت‌دار این تعداد جایگاه برای بازبینی داشته باشند و همه را در یک گذر انجام می‌دهد.
determinism-more = صف، مرجع و زمان‌بندی
determinism-queue = صف
    .help = تعداد جایگاه‌های علامت‌داری که margingate-queued برای یک گذر جمع می‌کند.
determinism-rounds = دورهای اندازه‌گیری
    .help = هر راهبرد چند بار، به نوبت، اندازه گرفته می‌شود. زمان‌ها میانه‌اند: دستگاه پرکار اندازه‌گیری تک را به هم می‌زند.
determinism-grid-run = اجرای replay با ۱۲ گیت دیگر
    .help = آستانهٔ τ برابر ۰٫۱۲۵ و ۰٫۲۵ و ۰٫۵، پنجره‌های ۸ و ۳۲، گذرهای ۱ و ۳۲ جایگاهی، در بزرگ‌ترین اندازهٔ دسته.
determinism-reference = مرجع
    .help = اجرای بازبینی‌شده با چه چیزی مقایسه می‌شود: fp32، یا bf16-solo یعنی لاین BF16 وقتی تنها اجرا می‌شود.
determinism-lane = لاین
    .help = محاسبهٔ سریع. bf16-emulated مانند GPU حساب می‌کند؛ bf16-native همان است که torch روی این دستگاه انجام می‌دهد.
determinism-split-k = جدول split-K
    .help = جفت‌های سطر:تقسیم. `1:4,8:2` یعنی: یک سطر، چهار جمع جزئی؛ تا ۸ سطر، دو؛ بیشتر از آن، یک.

determinism-trace = باز کردن ردِّ ذخیره‌شده
determinism-open = ردِّ این صفحه یا ردِّ `gate compare` (JSONL)
determinism-save = ردِّ اجرا (JSONL)
determinism-recorded = { $prompts } پرامپت، هر یک تا { $length } توکن، اندازه‌های دسته { $batches }، در مقایسه با { $reference }.
determinism-empty = هنوز هیچ راهبردی تمام نشده است.
determinism-no-times = اینجا افزایشی نیست: برای آن دسته‌های واقعی لازم است و BF16 تنها (bf16) باید میان راهبردها باشد.
determinism-emulated = بعضی اندازه‌های دسته شبیه‌سازی شده‌اند: زمان‌بندی روی آن اندازه گذاشته شد و تا ۳۲ سطر در یک گذر شریک شدند. تغییرها و توکن‌هایشان معتبر است؛ گام‌ها و گذرهایشان از گذرهای پهن‌تر است و زمان‌هایشان نیامده است.

determinism-verdict-bf16 = **BF16 تنها:** { $shapes ->
    [1] { $equal } درصد دنباله‌ها همان مرجع‌اند.
   *[other] { $identical } درصد دنباله‌ها در همهٔ اندازه‌های دسته یکسان‌اند؛ { $equal } درصد در همه‌شان همان مرجع‌اند.
}
determinism-verdict-margingate = **MarginGate به بیان مقاله:** { $shapes ->
    [1] { $equal } درصد برابر با مرجع
   *[other] { $identical } درصد یکسان، { $equal } درصد برابر با مرجع
}، با { $trigger } درصد سطرِ علامت‌دار.
determinism-verdict-replay = **بازپخش با گیت حاشیه:** { $shapes ->
    [1] { $equal } درصد برابر با مرجع
   *[other] { $identical } درصد یکسان، { $equal } درصد برابر با مرجع
}؛ { $trigger } درصد سطرها نگاه خواستند.
determinism-verdict-ratio = افزایش every-step ÷ افزایش این: { $at }.
determinism-verdict-at = { $ratio } در دستهٔ { $batch }تایی
determinism-comma = {" "}و{" "}

determinism-at = در اندازهٔ دسته
determinism-axis-equal = دنباله‌های برابر با مرجع
determinism-one-size = تنها یک اندازهٔ دسته: اینجا دیده نمی‌شود که دنباله در اندازه‌های دیگر همان می‌ماند یا نه. نمودار به جای آن دنباله‌های برابر با مرجع را نشان می‌دهد.
determinism-axis-identical = دنباله‌های یکسان در همهٔ اندازه‌های دسته
determinism-axis-increment = زمان افزوده به هر توکن، بیش از BF16 تنها
determinism-cost-alt = برای هر راهبرد: درصد دنباله‌های یکسان، و میلی‌ثانیه‌ای که هر توکن بیش از BF16 تنها می‌برد، در اندازهٔ دستهٔ { $batch }. همین عددها در جدول هم هست.
determinism-cpu = روی CPU لاین BF16 شبیه‌سازی می‌شود و از FP32 کندتر است. پس افزایش می‌گوید بازبینی چقدر به BF16 تنها می‌افزاید، نه اینکه GPU لاین‌ها را چگونه رتبه می‌داد. نمادهای توخالی چیزی را بازبینی نمی‌کنند: افزایش آن‌ها تنها دو محاسبه را روی همین دستگاه مقایسه می‌کند و می‌تواند زیر صفر باشد.

determinism-table = برای هر راهبرد یک سطر
determinism-exact-construction = برابر با رمزگشایی حریصانه در { $reference }، بنا به ساخت
determinism-exact-invariant = یکسان در هر اندازهٔ دسته بنا به ساخت، توکن‌های خودش
determinism-exact-measured = همان‌قدر که اندازه گرفته شد، بی هیچ تضمین
determinism-exact-none = هیچ

determinism-grid = replay چه وقت نگاه کند؟
determinism-grid-why = بازپخش با هر گیتی به همان توکن‌ها می‌رسد. گیت تنها هزینه را جابه‌جا می‌کند. **نگاه زود** تغییر توکن را پیش از آنکه چیز زیادی پشت آن نوشته شود می‌یابد، پس توکن‌های کمی به عقب بازمی‌گردند؛ ولی جایگاه‌های کمی را بازبینی می‌کند و هزینهٔ گذر تقریباً به اندازهٔ گذری پرتر است. **نگاه دیر** گذر را پر می‌کند، ولی هر چه پشت تغییری دیده‌نشده رمزگشایی شده از دست می‌رود.
determinism-grid-recorded = از ردِّ ضبط‌شده: اجرا با یک گیت جدول ندارد.
determinism-no-grid = این رد تنها یک گیت از replay دارد.
determinism-no-tau = بدون
determinism-no-window = در پایان
determinism-measure = نمایش
determinism-measure-increment = زمان افزوده
determinism-measure-waste = بازگشت به عقب
determinism-measure-filling = جایگاه در هر گذر
determinism-grid-pass = اندازهٔ گذر
determinism-grid-increment = میلی‌ثانیه‌ای که هر توکن بیش از BF16 تنها می‌برد، در اندازهٔ دستهٔ { $batch }. تیره‌تر یعنی پرهزینه‌تر.
determinism-grid-waste = توکن‌های بازگشته، درصدی از آنچه لاین ساخته است، در اندازهٔ دستهٔ { $batch }. تیره‌تر یعنی هدررفت بیشتر.
determinism-grid-filling = میانگین جایگاه‌ها در هر گذر، در اندازهٔ دستهٔ { $batch }. تیره‌تر یعنی پرتر.
determinism-grid-best = کمترین زمان افزوده در این رد: { $gate }، { $ms } میلی‌ثانیه برای هر توکن در اندازهٔ دستهٔ { $batch }. فرق گیت‌های همسایه اغلب در حد نوفهٔ دستگاه است.
determinism-grid-alt = replay با اندازهٔ گذر { $size }: { $measure } برای هر آستانهٔ τ و هر پنجره
determinism-axis-window = پنجره
determinism-waste = **بازگشت به عقب در پنجرهٔ ساده.** اگر همهٔ توکن‌ها با یک احتمال تغییر کنند، فرمول آخر در پایین می‌گوید به‌طور میانگین چه سهمی از پنجره از دست می‌رود. نخست سهم مورد انتظارِ توکن‌های بازگشته آمده است و سپس سهم دیده‌شده. فرمول تغییرها را مستقل می‌گیرد؛ تغییرهای واقعی خوشه‌ای‌اند و آخرین پنجرهٔ هر درخواست کوتاه‌تر است.
determinism-waste-rate = سهم تغییر در هر توکن، با بازبینی در هر گام
determinism-waste-expected = پنجرهٔ { $window }: مورد انتظار
determinism-waste-seen = پنجرهٔ { $window }: دیده‌شده

determinism-papers = در کنار مقاله‌ها
determinism-papers-how = این‌ها را کنار هم بخوانید، نه در برابر هم. مقاله‌ها مدل‌هایی با ۷ تا ۱۴ میلیارد پارامتر را روی GPU و با بازبین‌های دیگر اجرا کرده‌اند. { $link } مقدار τ را روی MATH500 برگزید و کاهشی که می‌گوید نسبت به افزایش `LLM-42` است. مدل ما `SmolLM2-135M` است مگر آنکه رد چیز دیگری بگوید، و کاهش ما نسبت به بازبینی در هر گام است. چکیدهٔ مقاله نه دستگاه را می‌گوید و نه τ را.
determinism-paper-ours = همین صفحه: { $strategy }{ $batch ->
    [0] {""}
   *[other] ، دستهٔ { $batch }تایی
}
determinism-paper-column-who = منبع
determinism-paper-column-model = مدل
determinism-paper-column-trigger_percent = درصد سطرهای علامت‌دار
determinism-paper-column-identical_percent = درصد دنباله‌های یکسان
determinism-paper-column-reduction = ضریب کاهش افزایش زمان
determinism-paper-llm42-throughput = نرخ پردازش آفلاین، به‌صورت سهمی از SGLang بدون قطعی بودن (مدل ۸ میلیاردی، یک GPU، شش بار کاری): { $low } تا { $high } وقتی همهٔ درخواست‌ها قطعی بودن بخواهند، { $half } تا { $half_best } وقتی نیمی بخواهند.
determinism-paper-llm42-grouping = نرخ پردازش با پنجرهٔ ۱۶، به‌صورت سهمی از بهترین مقدار: { $alone } وقتی هر بار یک درخواست بازبینی شود، { $grouped } وقتی ۳۲ درخواست با هم. گذر پر به‌صرفه است.
determinism-paper-llm42-recompute = توکن‌هایی که دوباره حساب می‌شوند، با یک درخواست در هر گذر: { $short } درصد با پنجرهٔ ۱۶ و { $long } درصد با پنجرهٔ ۵۱۲. با ۳۲ درخواست و پنجرهٔ ۱۶: { $grouped } درصد.
determinism-paper-llm42-invariant = ضرب ماتریسی در Triton که دسته آن را تغییر نمی‌دهد، با ۱ توکن { $one } برابر ضرب معمول زمان می‌برد، با ۱۲۸ توکن { $many } برابر و با ۲۰۴۸ توکن { $most } برابر (یک GPU). این هزینهٔ هسته‌هایی است که به دسته وابسته نیستند.
determinism-paper-thinking-machines = ۱۰۰۰ دنباله از `Qwen3-8B` روی یک GPU، هر یک حدود ۱۰۰ توکن: { $default } ثانیه با هسته‌های معمول، { $first } ثانیه با نخستین هسته‌های مستقل از دسته، { $improved } ثانیه با توجهِ بهبودیافته. از خلاصه‌های آن نوشته خوانده شده است.

determinism-notice-measured = سیاست مقاله تنها تغییرهای تأییدشده را ترمیم می‌کند. بازبین آن K/Vهایی را می‌خواند که هرگز بازبینی نشده‌اند و کم‌کم منحرف می‌شوند. پس روی این مدل کوچک، τ بزرگ‌تر آن را به ۱۰۰ درصد نمی‌رساند. مقاله روی مدل‌های بزرگ‌تر ۱۰۰ درصد اندازه گرفته است.
determinism-notice-construction = هر راهبردی که با حافظهٔ FP32 خودش بازپخش می‌کند به ۱۰۰ درصد می‌رسد. این از بخت اندازه‌گیری نیست: هر توکن سرانجام بازبینی می‌شود. تفاوت آن‌ها تنها در هزینه است.
determinism-notice-batch = با بزرگ‌شدن دسته، افزایش زمان هر توکن کم می‌شود، چون یک گذر به سطرهای بیشتری می‌رسد. در دستهٔ ۳۲تایی، محاسبه گلوگاه CPU است و گذر پرتر کمتر صرفه دارد.
determinism-notice-plain = نرخ علامت‌گذاری به ازای گام بسیار بیشتر از سطر است: یک سطر علامت‌دار از ۳۲ سطر کافی است. تأخیر از گام‌ها پیروی می‌کند و به نسبت سطرها کم نمی‌شود.

determinism-try-tau = τ را ۱ بگذارید و margingate را اجرا کنید: سطرهای بیشتری نگاه می‌خواهند و باز هم ۱۰۰ درصد نیست. replay هست.
determinism-try-early = بگذارید replay هر سطر علامت‌دار را فوراً ببیند (اندازهٔ گذر ۱): بازگشت کمتر، گذر بیشتر.
determinism-try-windows = پنجرهٔ ۱۶ را با ۶۴ روی ۶۴ توکن مقایسه کنید: کدام بیشتر هدر می‌دهد و کدام گذرهایش را پر می‌کند؟
determinism-command = همین مقایسه در خط فرمان؛ این صفحه فایلی را که می‌نویسد باز می‌کند.

determinism-column-strategy = راهبرد
determinism-column-identical_percent = درصد یکسان در همهٔ اندازه‌ها
determinism-column-equal_percent = درصد برابر با مرجع
determinism-column-exact = دقیق
determinism-column-gate = گیت
determinism-column-trigger_row_percent = درصد سطرهای نگاه‌خواه
determinism-column-trigger_step_percent = درصد گام‌های نگاه‌خواه
determinism-column-corrections = تصحیح‌ها
determinism-column-rolled_back = توکن‌های بازگشته
determinism-column-bonuses = توکن‌های بازبین
determinism-column-visits = گذرهای بازبین
determinism-column-verified = جایگاه‌های بازبینی‌شده
determinism-column-ms_b1 = میلی‌ثانیه برای هر توکن، دستهٔ ۱تایی
determinism-column-increment_b1 = افزایش به میلی‌ثانیه، دستهٔ ۱تایی
determinism-column-ratio_b1 = every-step ÷ این، دستهٔ ۱تایی
determinism-column-ms_b2 = میلی‌ثانیه برای هر توکن، دستهٔ ۲تایی
determinism-column-increment_b2 = افزایش به میلی‌ثانیه، دستهٔ ۲تایی
determinism-column-ratio_b2 = every-step ÷ این، دستهٔ ۲تایی
determinism-column-ms_b4 = میلی‌ثانیه برای هر توکن، دستهٔ ۴تایی
determinism-column-increment_b4 = افزایش به میلی‌ثانیه، دستهٔ ۴تایی
determinism-column-ratio_b4 = every-step ÷ این، دستهٔ ۴تایی
determinism-column-ms_b8 = میلی‌ثانیه برای هر توکن، دستهٔ ۸تایی
determinism-column-increment_b8 = افزایش به میلی‌ثانیه، دستهٔ ۸تایی
determinism-column-ratio_b8 = every-step ÷ این، دستهٔ ۸تایی
determinism-column-ms_b16 = میلی‌ثانیه برای هر توکن، دستهٔ ۱۶تایی
determinism-column-increment_b16 = افزایش به میلی‌ثانیه، دستهٔ ۱۶تایی
determinism-column-ratio_b16 = every-step ÷ این، دستهٔ ۱۶تایی
determinism-column-ms_b32 = میلی‌ثانیه برای هر توکن، دستهٔ ۳۲تایی
determinism-column-increment_b32 = افزایش به میلی‌ثانیه، دستهٔ ۳۲تایی
determinism-column-ratio_b32 = every-step ÷ این، دستهٔ ۳۲تایی
