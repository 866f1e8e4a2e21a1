meeting-title = آیا گمانه‌زنی حریصانه در BF16 بی‌تغییر است؟
    .nav = گمانه‌زنی در برابر گیت
meeting-why = روی کاغذ، گمانه‌زنی حریصانه هیچ توکنی را عوض نمی‌کند: هر چه پیش‌نویس شود، حرف آخر با مدل هدف است. اما این حرف یک جمع است، و هر دور $\gamma + 1$ سطر را در یک گذر حساب می‌کند، در حالی که رمزگشایی ساده یک سطر را. در BF16 این ترتیب دیگری از جمع‌هاست. اینجا یک بار کاری به هر دو شیوه اجرا می‌شود: در FP32، در BF16، و در BF16 پشت گیت.

meeting-open-title = باز کردن ردِّ ذخیره‌شده
meeting-open-text = ردِّ `meeting` هر پنج اجرای یک بار کاری را دارد. با این فرمان ساخته می‌شود:
meeting-open = ردِّ اجرای همین صفحه (JSONL)
meeting-save = ردِّ اجرا (JSONL)

meeting-controls = اجرای خود شما: پیش‌نویس، γ، دسته، لاین، گیت
meeting-drafter = پیش‌نویس
    .help = چه کسی پیشنهاد می‌دهد. در حساب دقیق، همه همان توکن‌ها را می‌دهند.
meeting-gamma = ‏γ، توکن‌های پیش‌نویس هر دور
    .help = گذرِ یک دور برای هر پرامپت $\gamma + 1$ سطر دارد؛ ۰ همان رمزگشایی ساده است.
meeting-prompts = پرامپت‌ها
    .help = نخستین داستان‌های آماده. هر پنج اجرا همین‌ها را رمزگشایی می‌کنند.
meeting-length = توکن‌های تازه
meeting-batch = پرامپت‌های هم‌زمان
meeting-lane = لاین سریع
    .help = شیوهٔ محاسبهٔ اجراهایی که اینجا BF16 نام دارند. bf16-emulated از ترتیب جمع‌های یک GPU پیروی می‌کند؛ bf16-invariant برای هر شکلی یک ترتیب دارد؛ bf16-native کاری است که torch روی همین دستگاه می‌کند.
meeting-split-k = جدول split-K
    .help = جفت‌های سطر:تقسیم. `1:4,8:2` یعنی: یک سطر، چهار جمع جزئی؛ تا ۸ سطر، دو؛ بیشتر از آن، یک.
meeting-tau = ‏τ، آستانهٔ گیت
    .help = توکنی درخواست نگاه می‌کند که حاشیه‌اش حداکثر τ باشد.
meeting-window = پنجره
    .help = توکن‌های یک ردیف که می‌توانند منتظر نگاه بمانند. یک دور ممکن است آن را پیش از آمدن بازبین لبریز کند.
meeting-pass-size = اندازهٔ گذر
    .help = شمار جایگاه‌هایی که ردیف‌های علامت‌خورده گرد می‌آورند تا یک گذر بازبین اجرا شود.

meeting-told = پرامپت‌ها: { $prompts }، هر یک { $length } توکن، هم‌زمان { $batch }. پیش‌نویس { $drafter }، ⁦γ = { $gamma }⁩. لاین سریع { $lane }. گیت: ⁦τ = { $tau }⁩، پنجره { $window }، اندازهٔ گذر { $pass_size }.
meeting-runs-done = { $done } اجرا از { $all } اجرا پایان یافته است.
meeting-verdict-parted = **نه.** در BF16 دورها در { $parted } پرامپت از { $prompts } پرامپت از توکن‌های رمزگشایی ساده جدا می‌شوند، نخستین بار در توکن { $first }.
meeting-verdict-equal = **اینجا بله:** در BF16 دورها در هر { $prompts } پرامپت همان توکن‌های رمزگشایی ساده را می‌دهند. با متن بلندتر یا γ دیگر ممکن است باز جدا شوند.

meeting-run-fp32 = ‏FP32، ساده
meeting-run-fp32-speculative = ‏FP32، در دورها
meeting-run-bf16 = ‏BF16، ساده
meeting-run-bf16-speculative = ‏BF16، در دورها
meeting-run-bf16-speculative-gated = ‏BF16، در دورها، با گیت
meeting-against = { $run } = { $partner }
meeting-than = در برابر { $partner }

meeting-matrix = هر اجرا کجا از همتای خود جدا می‌شود
meeting-matrix-legend = «=»: همهٔ توکن‌ها همان توکن‌های همتاست. ◆: نخستین توکنی که فرق دارد، شمرده از صفر، و حاشیهٔ خود این اجرا در آنجا. تا آن توکن هر دو اجرا همان متن را خوانده‌اند.
meeting-cell-equal = برابر
meeting-cell-parted = توکن { $step }
meeting-cell-margin = حاشیه { $margin }
meeting-cell-ended = اجرا پایان یافته بود

meeting-texts-title = یک پرامپت به‌تفصیل
meeting-prompt = پرامپت
meeting-prompt-told = پرامپت: «{ $prompt }»
meeting-strip = { $run }
meeting-strip-both = { $run } و { $partner }: همان توکن‌ها
meeting-texts-legend = ◆ در دو متن یک جفت: اینجا اجراها جدا می‌شوند و آنچه پس از آن می‌آید دیگر قابل مقایسه نیست. ◆ در متن پشت گیت: بازبین رأی لاین BF16 را عوض کرد. برای دیدن حاشیه، توکن دوم و سطرهای گذر، نشانگر را روی توکن ببرید.
meeting-note = حاشیه { $margin }، توکن دوم «{ $runner }»، سطرهای گذر: { $rows }
meeting-note-after = پس از جدا شدن اجراها
meeting-note-corrected = تصحیح بازبین
meeting-place-equal = هر { $tokens } توکن برابرند.
meeting-place-verified = هر { $tokens } توکن برابرند؛ { $corrected ->
    [0] بازبین هیچ‌یک را تصحیح نکرد.
    [one] بازبین در راه یکی را تصحیح کرد.
   *[other] بازبین در راه { $corrected } تا را تصحیح کرد.
}
meeting-place-parted = **در توکن { $step } جدا می‌شوند.** { $partner } { $own }
meeting-choice = { $run }: «{ $token }»، با حاشیهٔ { $margin } پیش از «{ $runner }»، سطرهای گذر: { $rows }.
meeting-choice-ended = { $run } پایان یافته بود.

meeting-margins-title = آنجا که جدا می‌شوند، حاشیه کوچک است
meeting-margins-alt = سهم گام‌های BF16 ساده تا هر حاشیه، با گام‌هایی که اجراها در آن‌ها جدا می‌شوند
meeting-margins-text = منحنی همهٔ گام‌های BF16 ساده را می‌شمارد. هر نشانه در حاشیهٔ BF16 ساده ایستاده است، آنجا که یک اجرا جدا می‌شود. در سمت چپ τ گیت بی‌درنگ نگاه می‌کند؛ به بقیه هم نگاه می‌کند، اما دیرتر، وقتی پنجره پر شود.
meeting-axis-margin = حاشیهٔ BF16 ساده
meeting-axis-share = گام‌ها تا این حاشیه
meeting-line-all = همهٔ گام‌ها
meeting-line-tau = ‏⁦τ = { $tau }⁩
meeting-mark-bf16-speculative = دورها از BF16 ساده جدا می‌شوند
meeting-mark-bf16 = ‏BF16 ساده از FP32 جدا می‌شود

meeting-cost = هر اجرا چه خرج کرد
meeting-cost-tokens = توکن‌ها
meeting-cost-passes = گذرها
meeting-cost-per-pass = توکن در هر گذر
meeting-cost-visits = گذرهای بازبین
meeting-cost-corrected = تصحیح‌شده
meeting-cost-text = گذرهای لاین بر توکن‌های یک پرامپت، جمع‌شده بر همهٔ پرامپت‌ها؛ گذر بر خود پرامپت‌ها شمرده نشده است. گذر بازبین یک گذر در FP32 است. ثانیه‌ها دربارهٔ GPU چیزی نمی‌گفتند: روی این CPU لاین BF16 شبیه‌سازی می‌شود.

meeting-table = جفت‌ها به صورت جدول
meeting-column-prompt = پرامپت
meeting-column-run = اجرا
meeting-column-partner = همتا
meeting-column-equal = برابر
meeting-column-parted = جدایی در
meeting-column-token = توکن
meeting-column-partner_token = توکن همتا
meeting-column-margin = حاشیه
meeting-column-partner_margin = حاشیهٔ همتا
meeting-column-runner_up = توکن دوم
meeting-column-rows = سطرها
meeting-column-partner_rows = سطرهای همتا
meeting-column-passes = گذرها
meeting-column-visits = گذرهای بازبین
meeting-column-corrected = تصحیح‌شده

meeting-notice-rows = قاعدهٔ پذیرش دقیق است؛ لوجیت‌هایی که به آن داده می‌شود همان لوجیت‌های رمزگشایی ساده نیست. با $\gamma = 4$ گذر ۵ سطر دارد، و جدول split-K به ۵ سطر دو جمع جزئی می‌دهد، در حالی که یک سطر چهارتا دارد. ترتیب‌های دیگر می‌مانند: قاعدهٔ توجه بلوک‌های ۶۴ پرسشی را می‌شمارد، که ۵ سطر این مدل پرشان نمی‌کند، و RMSNorm در ۲۵۶ سطر تغییر می‌کند.
meeting-notice-margin = اجراها تنها در تساوی نزدیک جدا می‌شوند. هیچ‌کس نمی‌تواند بگوید کدام‌یک از دو توکن «درست» است: خود BF16 ساده هم در چنین جاهایی از FP32 جدا می‌شود.
meeting-notice-fp32 = در FP32 چیزی جدا نمی‌شود، و این از بخت نیست: هسته‌های FP32 این آزمایشگاه به هر سطر همان بیت‌ها را می‌دهند، هر چه کنارش باشد. با هسته‌های عادی FP32 ترتیب باز هم عوض می‌شود، فقط تساوی‌هایی که می‌تواند بشکند بسیار کمیاب‌ترند.
meeting-notice-gate = پشت گیت، بازبین هر جایگاه را دوباره در FP32 و با حافظهٔ خود حساب می‌کند و آنچه را فرق دارد پس می‌گیرد، با پیش‌نویس‌های پشت سرش. پس توکن‌ها همان توکن‌های رمزگشایی FP32 است، با هر پیش‌نویس، γ، دسته یا τ.
meeting-notice-cost = گذرهای گیت به گذرهای خود دورها افزوده می‌شود. توکن اضافی‌اش یکی را پس می‌دهد: وقتی همه همخوان باشند، همان گذر توکن بعدی را هم دارد.

meeting-try-zero = ‏γ را ۰ بگذارید و اجرا کنید: دورِ یک سطری بیت‌به‌بیت همان رمزگشایی ساده است.
meeting-try-split = به یک تا ۶۴ سطر همان تقسیم را بدهید (`64:4`) و اجرا کنید: چیزی جدا نمی‌شود، پس علت split-K بود.
meeting-try-invariant = لاین bf16-invariant را برگزینید و اجرا کنید: دورها با BF16 ساده برابرند، و هر دو باز ممکن است از FP32 جدا شوند.
