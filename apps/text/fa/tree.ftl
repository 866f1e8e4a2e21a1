tree-title = چطور یک گذر می‌تواند حدس‌های بسیاری را بازبینی کند؟
    .nav = درختی از حدس‌ها
tree-why = زنجیرهٔ حدس‌ها با نخستین حدس نادرست از دست می‌رود. درخت حدس‌های دیگری هم آماده دارد، و باز یک گذر مدل هدف همه را بازبینی می‌کند: هر توکن تنها نیاکان خود را می‌بیند. درخت ژرف‌تر شود یا پهن‌تر، گذر با هر گره یک سطر بزرگ‌تر می‌شود.

tree-recording = اجرای ضبط‌شده
tree-recording-option-k-ary = هر دور همان درخت، دمای ۰
tree-recording-option-dynamic = درختی که از اطمینان پیش‌نویس پیروی می‌کند، دمای ۰
tree-recording-option-sampled = نمونه‌برداری، خواهرها بدون جای‌گذاری، دمای ۰٫۷
tree-recording-option-typical = پذیرش نوعی (typical)، تقریبی، دمای ۰٫۷
tree-recording-option-eagle = ‏EAGLE با درخت پویا، دمای ۰
tree-recording-option-medusa = سرهای Medusa، دمای ۰

tree-controls = اجرایی از خودتان: پرامپت، پیش‌نویس، شکل درخت، قاعده
tree-run-draft = پیش‌نویس
    .help = چه کسی حدس می‌زند. اگر میان دو نام + باشد، دو پیش‌نویس یک درخت مشترک دارند و به نوبت حدس می‌زنند.
tree-draft-stories = مدل کوچک داستان (stories)
tree-draft-trigram = جدول سه‌تایی (trigram)
tree-draft-bigram = جدول دوتایی (bigram)
tree-draft-unigram = جدول تکی (unigram)
tree-draft-early-exit = خروج زودهنگام: نیمهٔ نخست مدل هدف
tree-draft-medusa = سرهای Medusa
tree-draft-eagle = سر EAGLE
tree-run-shape = شکل درخت
tree-shape-chain = زنجیره
tree-shape-k-ary = ‏k‌تایی، هر سطح باریک‌تر
tree-shape-dynamic = پویا، به پیروی از اطمینان
tree-run-gamma = سطح‌ها (γ)
tree-run-width = پهنا
    .help = فرزندان ریشه؛ در درخت پویا نیز شمار گره‌های هر سطح که رشد می‌کنند.
tree-run-nodes = گره‌هایی که بازبینی می‌شوند
    .help = از همهٔ آنچه روییده است، گره‌هایی می‌مانند که حاصل‌ضرب اطمینانشان بزرگ‌تر است.
tree-tapered = فرزندان هر گره، سطح به سطح: { $widths }. همهٔ گره‌ها: { $nodes }.
tree-run-siblings = خواهرها
    .help = فرزندان یک گره چگونه برگزیده می‌شوند. در دمای ۰ همیشه محتمل‌ترین‌ها هستند.
tree-siblings-top = محتمل‌ترین‌ها
tree-siblings-drawn = قرعه‌کشی، یک توکن شاید دو بار بیاید
tree-siblings-drawn-without = قرعه‌کشی بدون جای‌گذاری
tree-run-rule = قاعدهٔ پذیرش
    .help = نمونه‌برداری چندگامی و تطبیق، توزیع مدل هدف را نگه می‌دارند. پذیرش نوعی تقریبی است: توزیع را عوض می‌کند.
tree-rule-multi-step = نمونه‌برداری چندگامی، دقیق
tree-rule-match = نمونه‌برداری و تطبیق، دقیق
tree-rule-typical = پذیرش نوعی (typical)، تقریبی

tree-told = پیش‌نویس: { $draft }. { $shape } خواهرها: { $siblings }. قاعده: { $rule }. دما { $temperature }، بذر { $seed }، لاین { $lane }.
tree-told-chain = زنجیره‌ای با { $nodes } گره.
tree-told-k-ary = فرزندان هر گره، سطح به سطح: { $widths }.
tree-told-ranks = درختی ثابت با { $nodes } گره.
tree-told-dynamic = درخت پویا: سطح‌ها { $levels }، پهنا { $width }، گره‌ها { $nodes }.

tree-phase-grow = رویش
tree-phase-verify = بازبینی
tree-phase-judge = پذیرش یا رد
tree-phase-emit = تصحیح یا افزودن
tree-phase-compact = فشرده کردن حافظه
tree-told-grow = **رویش، سطح { $level }.** پیش‌نویس حدس می‌زند پس از { $parents } گره از سطح پیش چه می‌آید؛ { $fresh } حدس به درخت افزوده می‌شود. هنوز از مدل هدف نپرسیده‌ایم.
tree-told-verify = **بازبینی.** یک گذر مدل هدف روی { $positions } جایگاه: آخرین توکن ثبت‌شده و { $nodes } گره. این گذر توزیع p را پس از هر یک می‌دهد، چنان‌که گویی هر مسیر به تنهایی خورانده شده است.
tree-told-judge = { $tested ->
    [one] **سطح { $level }.** یک حدس پس از «{ $parent }» آزموده می‌شود:
   *[other] **سطح { $level }.** { $tested } حدس پس از «{ $parent }» به نوبت آزموده می‌شوند؛ هر رد سهم کمتری از p برای بعدی می‌گذارد:
}
tree-told-test = «{ $token }»: ⁦p = { $p }⁩، ⁦q = { $q }⁩، احتمال پذیرش $\min(1, p/q)$ = { $acceptance }؛ ⁦u = { $u }⁩: **{ $verdict }**.
tree-told-matched = «{ $token }»: ⁦p = { $p }⁩: **{ $verdict }**.
tree-told-correction = **تصحیح.** هیچ‌یک از حدس‌های پس از آخرین توکن پذیرفته برجا نماند؛ پس «{ $token }» از آنچه از p ماند برگرفته می‌شود. این گذر { $emitted } توکن می‌دهد که { $accepted } تای آن حدس زده شده بود.
tree-told-bonus = **افزودن.** مسیر به یک برگ درخت رسید و توزیع پس از برگ معلوم است: «{ $token }» از آن برگرفته می‌شود. این گذر { $emitted } توکن می‌دهد.
tree-told-cut = **برش.** «{ $token }» متن را به پایان برد. این گذر { $emitted } توکن می‌دهد.
tree-told-compact = **فشرده کردن حافظه.** از { $full } خانه پس از گذر، { $kept } خانه می‌ماند: ستون‌های مسیر پذیرفته به ترتیب کنار متن می‌آیند و { $dropped } ستون کنار گذاشته می‌شود. آخرین توکن بیرون‌داده هنوز ستونی ندارد.

tree-state-root = آخرین توکن ثبت‌شده
tree-state-waiting = هنوز داوری نشده
tree-state-accepted = پذیرفته
tree-state-rejected = ردشده
tree-state-unjudged = داوری‌نشده
tree-state-correction = تصحیح
tree-state-bonus = یکی بیشتر (توکن اضافی)
tree-axis-level = سطح
tree-hover-root = سطح ۰، در همین گذر خورانده می‌شود
tree-hover-place = گره { $node }، سطح { $level }، جایگاه { $position }
tree-hover-own = از خود مدل هدف، جایگاه { $position }
tree-hover-confidence = اطمینان پیش‌نویس { $confidence }، حاصل‌ضرب در طول مسیر { $product }
tree-hover-test = ⁦q = { $q }⁩، ⁦p = { $p }⁩، ⁦u = { $u }⁩
tree-hover-laws = محتمل‌ترین توکن‌ها:
tree-hover-law = { $token }: ⁦p = { $p }⁩، ⁦q = { $q }⁩
tree-graph-alt = درخت دور { $round }: ‏{ $nodes } گره در { $levels } سطح، { $accepted } پذیرفته. جدول زیر همهٔ گره‌ها را دارد.

tree-table-label = گره‌های دور { $round }
tree-head-node = گره
tree-head-token = توکن
tree-head-level = سطح
tree-head-parent = پس از
tree-head-confidence = اطمینان
tree-head-product = حاصل‌ضرب
tree-head-q = ‏q
tree-head-p = ‏p
tree-head-u = ‏u
tree-head-verdict = رأی
tree-head-laws = توزیع‌ها
tree-root = آخرین توکن
tree-own = خودی
tree-laws = { $tokens } توکن
tree-legend = اطمینان: احتمالی که خود پیش‌نویس به توکن می‌دهد، پیش از دما. ‏q: توزیعی که حدس از آن برگرفته شد؛ برای حدسی که بی‌قرعه برداشته شود ۱ است. ‏p: توزیع مدل هدف، پس از آنچه خواهرهای ردشده از آن کاستند.

tree-pass-title = گذر: چه کسی چه کسی را می‌بیند
tree-pass-text = هر سطر یک توکن گذر است و هر ستون یک خانهٔ حافظه. هر توکن متن، نیاکان خود و خودش را می‌بیند. جایگاه آن از ژرفایش می‌آید، نه از خانه‌اش: خواهرها یک جایگاه دارند.
tree-pass-alt = نقاب گذر روی { $places } توکن: هر یک متن، نیاکان خود و خودش را می‌بیند. جایگاه‌ها از { $first } تا { $last }.
tree-axis-slot = خانهٔ حافظه
tree-mask-position = جایگاه
tree-mask-hidden = پنهان
tree-mask-text = متن، دیده
tree-mask-above = نیا، دیده
tree-mask-itself = خودش
tree-mask-hover = { $token }، خانهٔ { $slot }
tree-mask-legend = آبی آسمانی: متن، که تنها آخرین خانه‌هایش کشیده شده است. آبی، در چپ قطر: نیاکان. قطر نارنجی: خود توکن. خاکستری: پنهان.

tree-cache-title = حافظه: پیش از گذر، پس از آن، فشرده
tree-cache-before = پیش از گذر
tree-cache-full = پس از گذر
tree-cache-kept = فشرده
tree-cache-slots = { $slots } خانه
tree-slot-from = ← { $slot }
tree-cache-legend = شمارهٔ درون هر کادر خانهٔ آن است. کادر پررنگ: نگه‌داشته. خط‌خورده: کنار گذاشته. ←: خانه‌ای که ستون از آن آمده است.

tree-sizes-title = توکن در هر گذر، در برابر گره‌های بازبینی‌شده
tree-sizes-text = پیش‌نویس *{ $draft }* روی { $prompts } داستان کنارگذاشته، در دمای ۰. هر نقطه یک درخت است، روی همهٔ گذرها یک‌جا: { $same ->
    [yes] همهٔ متن‌ها، توکن به توکن، همان متن رمزگشایی ساده‌اند.
   *[no] همهٔ متن‌ها همان متن رمزگشایی ساده نیستند.
}
tree-sizes-alt = توکن در هر گذر در برابر گره‌های بازبینی‌شده، برای زنجیره، درخت k‌تایی و درخت پویا. بهترین: { $tokens } توکن با { $nodes } گره.
tree-sizes-none = این نمودار از روی یک ضبط کشیده می‌شود که این نسخهٔ آزمایشگاه ندارد. با این فرمان ساخته می‌شود:
tree-axis-nodes = گره‌های بازبینی‌شده در هر گذر
tree-axis-tokens = توکن در هر گذر
tree-axis-both = توکن در هر گذر، و v
tree-times-title = بهای گذر
tree-times-text = زمان گذر روی یک درخت، چند برابر زمان گذر روی یک توکن (v)، کنار توکن‌هایی که بهترین درخت به آن اندازه می‌دهد. زمان خود پیش‌نویس هم بر آن افزوده می‌شود.
tree-times-alt = زمان گذر در برابر گره‌ها، از ۱ تا { $v } برابر، کنار توکن‌های هر گذر.
tree-line-v = زمان گذر، v
tree-line-best = توکن در هر گذر، بهترین درخت
tree-sizes-table = همهٔ درخت‌ها به صورت جدول
tree-column-request = پرامپت
tree-column-round = دور
tree-column-node = گره
tree-column-parent = پس از گره
tree-column-level = سطح
tree-column-token = توکن
tree-column-confidence = اطمینان
tree-column-product = حاصل‌ضرب در طول مسیر
tree-column-verdict = رأی
tree-column-form = شکل
tree-column-shape = درخت
tree-column-nodes = گره در هر گذر
tree-column-tokens = توکن در هر گذر
tree-column-passes = گذرها
tree-column-same = همان متن ساده

tree-notice-second = گره‌های پذیرفته‌ای را ببینید که نخستین فرزند نیستند: زنجیره‌ای از حدس‌های نخست همان‌جا پایان می‌یافت.
tree-notice-mask = خواهرها یک جایگاه دارند و یکدیگر را نمی‌بینند. پس هر مسیر در یک گذر همان را می‌گیرد که به تنهایی می‌گرفت.
tree-notice-compact = مسیر پذیرفته در حافظه کمتر پشت سر هم است. آنچه می‌ماند جابه‌جا می‌شود؛ آنچه کنار می‌رود بیهوده محاسبه شده بود.
tree-notice-cost = گره‌های بیشتر توکن بیشتری در هر گذر می‌دهند، هر یک کمتر از پیشین، و گذر با هر گره درازتر می‌شود. روی CPU بهترین درخت کوچک است.
tree-try-dynamic = درخت پویا را ببینید: جایی که پیش‌نویس مطمئن است ژرف می‌شود و جایی که نیست پهن.
tree-try-sampled = اجرای نمونه‌برداری‌شده را ببینید: حالا u تعیین می‌کند، و هر رد p را برای خواهر بعدی عوض می‌کند.
tree-try-large = سطح‌ها را ۵ و پهنا را ۵ بگذارید: درختِ بیش از اندازه بزرگ پیش از اجرا رد می‌شود.
tree-to-round = یک شاخه به تنهایی، توکن به توکن، با هر دو حافظه:

tree-round = { round-round }
tree-step = { round-step }
    .help = سطح‌هایی که می‌رویند، گذر مدل هدف، سطح‌هایی که داوری می‌شوند، توکن‌های بیرون‌داده، حافظه.
tree-request = { speculate-prompt }
tree-run-prompt = { speculate-prompt }
tree-run-own = { speculate-own }
    .help = { speculate-own.help }
tree-run-temperature = { speculate-temperature }
tree-run-length = { speculate-length }
tree-run-seed = { speculate-seed }
