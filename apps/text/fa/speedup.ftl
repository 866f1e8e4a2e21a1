speedup-title = α و γ و c چه به دست می‌دهند؟
    .nav = α و γ و c چه می‌دهند
speedup-why = پیش‌نویس‌نوشتن هم زمان می‌برد و هم زمان می‌خرد. سه عدد می‌گویند کدام می‌چربد: توکن پیش‌نویس چند بار پذیرفته می‌شود (α)، در هر دور چند توکن پیش‌نویس می‌شود (γ)، و یک گام پیش‌نویس در برابر یک گام هدف چقدر طول می‌کشد (c).

speedup-runs = اجراهای اندازه‌گیری‌شده در نمودار
    .help = با انتخاب یک گروه، همهٔ γهای آن نشان داده می‌شود و α و c و v همان می‌شوند که روی این دستگاه اندازه گرفته شدند.
speedup-runs-fastest = سریع‌ترین γ برای هر پیش‌نویس و هر نوع پرامپت
speedup-alpha = نرخ پذیرش α
    .help = احتمال پذیرفته شدن یک توکن پیش‌نویس: میانگین $\sum \min(p, q)$.
speedup-gamma = توکن‌های پیش‌نویس در هر دور، γ
    .help = صفر یعنی رمزگشایی ساده.
speedup-c = ضریب هزینهٔ c
    .help = زمان یک گام پیش‌نویس ÷ زمان یک گام هدف.
speedup-dial = هزینهٔ بازبینی، $v(γ)$
    .help = زمان گذر مدل هدف روی γ + ۱ جایگاه ÷ روی یک جایگاه.
speedup-dial-paper = v = ۱، مانند مقاله
speedup-dial-machine = اندازه‌گیری روی این دستگاه
speedup-dial-roofline = مدل سقف (roofline)
speedup-machine-batch = اندازهٔ دسته در این اندازه‌گیری
speedup-device = دستگاه
speedup-device-h200 = H200 (برگهٔ مشخصات)
speedup-device-h100 = H100 (برگهٔ مشخصات)
speedup-device-a100 = A100 با ۸۰ گیگابایت (برگهٔ مشخصات)
speedup-device-cpu = دو هستهٔ CPU (اندازه‌گیری‌شده)
speedup-batch = اندازهٔ دسته
    .help = تعداد دنباله‌هایی که با هم بازبینی می‌شوند. هر گذر به اندازهٔ دسته ضرب در γ + ۱ سطر دارد.
speedup-roofline = پهنای باند، اوج محاسبه و مدل
speedup-bandwidth = پهنای باند حافظه، GB/s
speedup-peak = اوج محاسبه، TFLOP/s
speedup-billions = پارامترهای مدل هدف، میلیارد
speedup-bytes = بایت برای هر پارامتر
speedup-experts = خبره‌ها
    .help = `2-of-8` یعنی هر توکن از ۲ خبره از ۸ می‌گذرد. فرض می‌شود همهٔ وزن‌ها از آنِ خبره‌ها باشد و مسیریابی یکنواخت.
speedup-experts-dense = هیچ (متراکم)
speedup-cache = حافظهٔ K/V هر دنباله، MB
    .help = هر گذر آن را برای هر دنباله یک بار می‌خواند. مدلی با ۸ میلیارد پارامتر و ۸ سرِ K/V برای هر توکن حدود ۰٫۱۳ مگابایت نگه می‌دارد.
speedup-roofline-note = زمان یک گذر بزرگ‌ترِ دو زمان است: خواندن وزن‌ها، یا ضرب‌ها در اوج محاسبه. هیچ دستگاهی از سقف خود بهتر نیست. پس این v نشان می‌دهد بازبینی با دسته چگونه بزرگ می‌شود، نه اینکه شما چه اندازه خواهید گرفت.
speedup-roofline-told = { $bandwidth } GB/s، { $peak } TFLOP/s، { $billions } میلیارد پارامترِ { $bytes } بایتی. از { $rows } سطر به بعد، ضرب‌های یک گذرِ متراکم بیش از خواندن وزن‌هایش طول می‌کشند.
speedup-no-recording = هنوز اندازه‌گیری ضبط‌شده‌ای نیست، پس v = ۱ به کار می‌رود. این فرمان یکی ضبط می‌کند:
speedup-cut = منحنی اندازه‌گیری‌شده در γ = { $last } تمام می‌شود؛ همان به کار می‌رود.

speedup-verdict = در γ = { $gamma } هر دور { $tokens } توکن می‌دهد و به اندازهٔ { $cost } گام ساده طول می‌کشد: **ضریب تسریع { $gain }**.
speedup-verdict-loss = **اینجا گمانه‌زنی می‌بازد: ضریب تسریع { $gain }.** در γ = { $gamma } هر دور { $tokens } توکن می‌دهد و به اندازهٔ { $cost } گام ساده طول می‌کشد.
speedup-reason-pass = علت بازبینی است: گذر روی { $positions } جایگاه به تنهایی به اندازهٔ { $v } گام ساده طول می‌کشد، بیش از آنچه دور می‌دهد.
speedup-reason-draft = علت پیش‌نویس است: α = { $alpha } از c = { $c } بیشتر نیست، و آنگاه هیچ γ‌ای سود ندارد، هر قدر هم بازبینی ارزان باشد (نتیجهٔ ۳٫۹).
speedup-reason-long = علت γ است: پیش‌نویس‌های یک دور به اندازهٔ { $drafting } گام ساده طول می‌کشند و بیشترِ آخری‌ها رد می‌شوند.
speedup-reason-both = علت هر دو با هم است: پیش‌نویس‌ها { $drafting } گام ساده می‌برند و گذر { $v }. هر یک به تنهایی هنوز سودی می‌گذاشت.
speedup-best = بهترین γ: { $best }، با ضریب تسریع { $gain }{ $last ->
    [yes] {" "}(بزرگ‌ترین γ‌ای که جست‌وجو می‌شود).
   *[no] .
}
speedup-best-none = اینجا هیچ γ‌ای تا { $last } سود ندارد: رمزگشایی ساده بهترین است.

speedup-fact-tokens = توکن در هر دور
speedup-fact-cost = هزینهٔ یک دور، گام ساده
speedup-fact-v = v در این γ
speedup-fact-gain = ضریب تسریع
speedup-fact-best = بهترین γ
speedup-fact-oracle = γ پیشگو

speedup-line-gain = ضریب تسریع
speedup-line-paper = با v = ۱
speedup-line-oracle = γ پیشگو
speedup-line-best = بهترین γ
speedup-line-chosen = γ انتخاب‌شده
speedup-line-measured = اندازه‌گیری‌شده
speedup-axis-gain = ضریب تسریع
speedup-gain-alt = ضریب تسریع در برابر γ، با γ انتخاب‌شده، بهترین γ، پیشگو، و اجراهای اندازه‌گیری‌شده اگر باشند. همین عددها در جدول هم هست.
speedup-line-all = اگر همه پذیرفته می‌شدند
speedup-line-tokens = توکن در هر دور
speedup-line-cost = هزینهٔ یک دور
speedup-axis-balance = توکن، گام ساده
speedup-balance-alt = توکن‌هایی که یک دور می‌دهد و هزینهٔ آن به گام ساده، در برابر γ. هر جا توکن‌ها بالای هزینه باشند گمانه‌زنی سود دارد.

speedup-show = نگاه کنید به
speedup-show-map = همهٔ α و c
speedup-show-price = عملیات و خواندن
speedup-show-simulation = دورهای شبیه‌سازی‌شده
speedup-show-lenience = سهل‌گیری

speedup-map-note = v همان است که بالا انتخاب شده. خط تیره «بدون سود» است: بالای آن γ‌ای هست که سود دارد. حلقه α و c شماست، لوزی‌ها اجراهای { $paper } و ضربدرها اجراهای این دستگاه‌اند.
speedup-map-gain = ضریب تسریع در بهترین γ از ۱ به بالا
speedup-map-best = بهترین γ
speedup-map-gain-alt = نقشه‌ای روی c و α: ضریب تسریع در بهترین γ، و خط بدون سود.
speedup-map-best-alt = نقشه‌ای روی c و α: بهترین γ، و صفر آنجا که سودی نیست.
speedup-mark-paper = مقاله
speedup-mark-machine = این دستگاه
speedup-mark-here = اینجا
speedup-mark-even = بدون سود

speedup-size = اندازهٔ پیش‌نویس ÷ اندازهٔ هدف، ĉ
    .help = بر پایهٔ پارامترها: سهم عملیات و بایتِ وزنِ یک گام پیش‌نویس در برابر یک گام هدف.
speedup-price-told = در γ = { $gamma } هر توکن **{ $operations }** برابرِ رمزگشایی ساده عملیات می‌برد و **{ $reads } درصد** خواندن وزن‌های آن را. از { $verified } جایگاه بازبینی‌شده در هر دور، میانگین { $wasted } جایگاه توکنی نمی‌دهد.
speedup-price-alt = عملیات هر توکن، بایت‌های وزن که برای هر توکن خوانده می‌شود، و سهم جایگاه‌های بازبینی‌شده که توکنی نمی‌دهند، در برابر γ. عدد ۱ رمزگشایی ساده است.
speedup-line-operations = عملیات برای هر توکن
speedup-line-reads = بایت‌های خوانده‌شدهٔ وزن برای هر توکن
speedup-line-wasted = سهم جایگاه‌های بازبینی‌شدهٔ بی‌توکن
speedup-axis-price = در برابر رمزگشایی ساده

speedup-process = پذیرش‌ها
speedup-process-independent = مستقل
speedup-process-position = بسته به جایگاه
speedup-process-streaks = پشت سر هم
speedup-rounds = دورهای شبیه‌سازی
speedup-seed = بذر
speedup-slope = تغییر پذیرش از هر جایگاه به بعدی
    .help = زیر صفر: پیش‌نویس‌های آخر بدترند. بالای صفر: پیش‌نویسی که تا دور رسیده روی متن آسان است.
speedup-stay = احتمال اینکه هر نتیجه تکرار نتیجهٔ پیشین باشد
    .help = وگرنه دوباره با احتمال α کشیده می‌شود. پس میانگین α می‌ماند، ولی توکن‌های پذیرفته کنار هم می‌آیند.
speedup-process-independent-told = هر پیش‌نویس با احتمال α پذیرفته می‌شود، هر چه پیش از آن آمده باشد. این فرض معادلهٔ ۱ است.
speedup-process-position-told = احتمال با جایگاه در دور تغییر می‌کند. توکن‌های هر دور در برابر معادلهٔ ۱: { $gap }. حاصل‌ضرب روی جایگاه‌ها میانگین درست را می‌دهد؛ یک α برای همه نمی‌دهد.
speedup-process-streaks-told = متن آسان و متن سخت پشت سر هم می‌آیند و میانگین همان α است. توکن‌های هر دور در برابر معادلهٔ ۱: { $gap }. پس α اندازه‌گیری‌شده شاید کمتر از واقع پیش‌بینی کند.
speedup-fact-simulated = توکن در هر دور، شبیه‌سازی
speedup-fact-by-position = فرمول، جایگاه به جایگاه
speedup-fact-equation = معادلهٔ ۱
speedup-fact-simulated-gain = ضریب تسریع، شبیه‌سازی
speedup-fact-ratio = پذیرفته ÷ پیش‌نویس‌شده (نه α)
speedup-rounds-title = یک دور چند توکن می‌دهد
speedup-rounds-alt = سهم دورهای شبیه‌سازی بر حسب تعداد توکنی که می‌دهند، در کنار فرمول.
speedup-positions-title = پذیرش در هر جایگاه
speedup-positions-alt = پذیرش در هر جایگاه دور: به شرط رسیدن به آن، و به صورت سهمی از همهٔ دورها. خط‌چین α است.
speedup-bar-simulated = شبیه‌سازی
speedup-bar-formula = فرمول
speedup-axis-tokens = توکن در هر دور
speedup-axis-share = سهم دورها
speedup-line-conditional = به شرط رسیدن
speedup-line-unconditional = از همهٔ دورها
speedup-axis-position = جایگاه در دور
speedup-axis-accepted = پذیرفته

speedup-lenience-approximate = تقریبی: با سهل‌گیریِ کمتر از ۱، خروجی دیگر توزیع مدل هدف را ندارد.
speedup-lenience-note = سهل‌گیری l توکن پیش‌نویس را با احتمال $\min(1, p / (l q))$ می‌پذیرد. احتمال هیچ توکنی از p / l بیشتر نمی‌شود، ولی توکن‌های کمیاب شاید ناپدید شوند. توزیع توکن دست‌کم به اندازهٔ آنچه α به دست می‌آورد از توزیع هدف دور می‌شود (فاصلهٔ تغییر کل). α همان است که { $paper } برای ترجمهٔ انگلیسی به آلمانی اندازه گرفته است.
speedup-lenient = پیش‌نویس
speedup-lenient-unigram-t1 = تک‌واژه‌ای (unigram)، دمای ۱
speedup-lenient-bigram-t1 = دوواژه‌ای (bigram)، دمای ۱
speedup-lenient-T5-small-t1 = T5-small، دمای ۱
speedup-lenient-T5-base-t1 = T5-base، دمای ۱
speedup-lenient-T5-small-t0 = T5-small، دمای ۰
speedup-lenience-alphas = پذیرش، و انحرافی که بهای آن است
speedup-lenience-alphas-alt = α در هر سهل‌گیری: بخش دقیق و بخش انحراف.
speedup-lenience-gains = ضریب تسریع در بهترین γ، با c و v شما
speedup-lenience-gains-alt = ضریب تسریع در بهترین γ برای هر سهل‌گیری.
speedup-bar-exact = دقیق
speedup-bar-drift = انحراف
speedup-axis-lenience = سهل‌گیری l

speedup-table = یک سطر برای هر γ

speedup-column-gamma = γ
speedup-column-tokens = توکن در هر دور
speedup-column-v = v
speedup-column-cost = هزینه، گام ساده
speedup-column-speedup = ضریب تسریع
speedup-column-operations = عملیات هر توکن
speedup-column-reads = خواندن وزن برای هر توکن
speedup-column-wasted_percent = بازبینی بی‌توکن، درصد
speedup-column-lenience = سهل‌گیری l
speedup-column-alpha = α
speedup-column-distance = فاصله از توزیع هدف، دست‌کم

speedup-notice-bonus = هر دور یک توکن می‌دهد حتی اگر هیچ چیز پذیرفته نشود، و γ + ۱ توکن اگر همه پذیرفته شوند. اگر آن توکن را نشمارید هر ضریب تسریع کوچک‌تر از واقع می‌شود.
speedup-notice-best = منحنی نزدیک بهترین γ هموار است و پس از آن آرام پایین می‌آید. γ‌ای که کمی بزرگ باشد هزینهٔ کمی دارد، مگر c یا v بزرگ باشد.
speedup-notice-batch = در مدل سقف، دستهٔ کوچک ضرب‌کننده را بیکار می‌گذارد و v همان ۱ می‌ماند. وقتی تعداد سطرها، یعنی اندازهٔ دسته ضرب در γ + ۱، آن را پر کرد، v مانند γ + ۱ بزرگ می‌شود و بهای توکن‌های ردشده کامل پرداخت می‌شود.
speedup-notice-price = گمانه‌زنی هرگز عملیات را کم نمی‌کند: عملیات بیشتری می‌دهد تا وزن‌ها را کمتر بخواند. این آنجا سود دارد که گلوگاه خواندن باشد.

speedup-try-random = پیش‌نویسی بگیرید که تصادفی حدس می‌زند: α = ۰٫۰۲. کدام γ بهترین است و چرا؟
speedup-try-large = پیش‌نویسی بگیرید که تقریباً به کندی هدف است: α = ۰٫۷ و c = ۰٫۸. کدام γ سود دارد؟
speedup-try-batch = روی دو هستهٔ CPU سی‌ودو دنباله را با هم بازبینی کنید. v چه می‌شود؟
speedup-try-streaks = بگذارید پذیرش‌ها پشت سر هم بیایند، با α = ۰٫۶: معادلهٔ ۱ چقدر خطا دارد؟
