round-title = در یک دور چه می‌گذرد؟
    .nav = یک دور، گام‌به‌گام
round-why = هر دور پیش‌نویس می‌کند، بازبینی می‌کند، می‌پذیرد یا رد می‌کند و سپس تصحیح می‌کند یا توکنی می‌افزاید. بیشتر خطاهای پیاده‌سازی‌های واقعی در دو حافظه است: این صفحه نشان می‌دهد کدام ستون‌ها می‌مانند و کدام بریده می‌شوند.

round-round = دور
round-step = گام
    .help = گام‌های پیش‌نویس، گذر مدل هدف، آزمونی برای هر توکنی که نوبتش می‌رسد، توکن‌های بیرون‌آمده، حافظه‌ها.
round-forward = گام بعد
round-back = گام پیش
round-next = دور بعد
round-previous = دور پیش
round-context = متن پیش از این دور: «{ $text }»

round-phase-draft = پیش‌نویس
round-phase-verify = بازبینی
round-phase-judge = پذیرش یا رد
round-phase-emit = تصحیح یا افزودن
round-phase-trim = بریدن حافظه‌ها
round-told-draft = **پیش‌نویس، توکن { $position }.** پیش‌نویس «{ $token }» را پیشنهاد می‌دهد، برداشته از توزیع خودش q، با ⁦q = { $q }⁩. از مدل هدف هنوز پرسیده نشده است.
round-told-verify = **بازبینی.** یک گذر مدل هدف بر { $positions } جایگاه: آخرین توکن ثبت‌شده و { $drafted ->
    [0] هیچ توکن پیش‌نویسی
   *[other] { $drafted } توکن پیش‌نویس
}. در هر یک از آن‌ها توزیع p مدل هدف را می‌دهد، یکی بیش از آنچه پیش‌نویس شد.
round-stopped-room = توکن دیگری پیش‌نویس نشد، چون طول خواسته‌شده جایی برای بیشتر نمی‌گذارد.
round-stopped-end = توکن دیگری پیش‌نویس نشد، چون پیش‌نویس پایان متن را پیشنهاد داد.
round-stopped-confidence = توکن دیگری پیش‌نویس نشد، چون پیش‌نویس به‌قدر کافی مطمئن نبود.
round-stopped-nothing = توکن دیگری پیش‌نویس نشد، چون پیش‌نویس چیزی برای پیشنهاد نداشت.
round-stopped-oracle = توکن دیگری پیش‌نویس نشد، چون دانای کل می‌دانست که توکن بعدی رد می‌شود.
round-told-accepted = **پذیرفته.** برای «{ $token }» مدل هدف ⁦p = { $p }⁩ دارد و پیش‌نویس ⁦q = { $q }⁩ داشت. احتمال پذیرش $\min(1, p/q)$ = { $acceptance } است و قرعهٔ ⁦u = { $u }⁩ کمتر از آن.
round-told-rejected = **ردشده.** برای «{ $token }» مدل هدف ⁦p = { $p }⁩ دارد و پیش‌نویس ⁦q = { $q }⁩ داشت. احتمال پذیرش $\min(1, p/q)$ = { $acceptance } است و قرعهٔ ⁦u = { $u }⁩ کمتر از آن نیست. آنچه پس از آن آمده داوری نمی‌شود.
round-told-correction = **تصحیح.** به جای توکن ردشده «{ $token }» از توزیع تعدیل‌شدهٔ $p'$ برداشته می‌شود، از آنچه p بیش از q دارد. این دور { $emitted ->
    [one] یک توکن
   *[other] { $emitted } توکن
} بیرون می‌دهد؛ { $left ->
    [0] هیچ توکن پیش‌نویسی پس از رد نمانده بود که داوری نشود.
    [one] یک توکن پیش‌نویس پس از رد هرگز داوری نشد.
   *[other] { $left } توکن پیش‌نویس پس از رد هرگز داوری نشدند.
}
round-told-bonus = **افزودن.** هیچ پیش‌نویسی رد نشد، پس این گذر یک توزیع اضافه دارد: «{ $token }» از آن برداشته می‌شود. این دور { $emitted ->
    [one] یک توکن
   *[other] { $emitted } توکن
} بیرون می‌دهد.
round-told-cut = **برش.** «{ $token }» متن را پایان داد. این دور { $emitted ->
    [one] یک توکن
   *[other] { $emitted } توکن
} بیرون می‌دهد؛ آنچه پس از آن پیش‌نویس شده کنار می‌رود و توکن اضافی برداشته نمی‌شود.
round-told-trim = **بریدن حافظه‌ها.** ستون‌های توکن‌هایی که نمی‌مانند فراموش می‌شوند: { $target } در حافظهٔ مدل هدف، { $draft } در حافظهٔ پیش‌نویس. آخرین توکن بیرون‌آمده هنوز ستونی ندارد؛ دور بعد آن را می‌خوراند.
round-told-trim-target = **بریدن حافظه.** ستون‌های توکن‌هایی که نمی‌مانند فراموش می‌شوند: { $target } در حافظهٔ مدل هدف. آخرین توکن بیرون‌آمده هنوز ستونی ندارد؛ دور بعد آن را می‌خوراند.

round-window-label = پنجرهٔ دور { $round }
round-row-position = جایگاه
round-row-drafted = پیشنهاد پیش‌نویس
round-row-q = ‏q، پیش‌نویس
round-row-p = ‏p، هدف
round-row-ratio = احتمال پذیرش
round-row-u = ‏u
round-row-test = آزمون
round-row-emitted = بیرون‌آمده
round-extra = یکی بیشتر
round-ready = دانسته
round-mark-accepted = پذیرفته
round-mark-rejected = ردشده
round-mark-unjudged = داوری‌نشده
round-meter = پذیرش زیر { $acceptance }، قرعه ⁦u = { $u }⁩

round-cache-target = حافظهٔ K/V مدل هدف
round-cache-draft = حافظهٔ K/V پیش‌نویس
round-cache-none = این پیش‌نویس حافظه‌ای ندارد: تنها به متن نگاه می‌کند.
round-cache-before = { $positions } جایگاه از پیش
round-cache-length = { $positions } جایگاه دارد
round-column-new = ستون تازه
round-column-kept = مانده
round-column-trimmed = بریده
round-legend = ✓ پذیرفته، ✕ ردشده، ◆ تصحیح، + توکن اضافی، ○ داوری‌نشده. در حافظه: قاب پررنگ مانده است و خط‌خورده بریده؛ قاب خط‌چین از آنِ توکن پیش‌نویس است.

round-column-request = پرامپت
round-column-round = دور
round-column-position = جایگاه
round-column-token = توکن
round-column-acceptance = احتمال پذیرش
round-column-verdict = رأی

round-notice-one = هر چند توکن هم رد شود، هر دور دست‌کم یک توکن بیرون می‌دهد، و آن همیشه توکن خود مدل هدف است.
round-notice-caches = پس از رد، حافظهٔ هدف یک ستون بیش از پذیرفته‌ها نگه می‌دارد: ستون توکنی که نخست به آن خورانده شد. پیش‌نویس هرگز برای آخرین پیشنهاد خود ستونی ندارد؛ پس از پذیرش کامل یکی عقب است و در دور بعد دو توکن به آن خورانده می‌شود.
round-notice-judged = داوری‌نشده همان ردشده نیست: هیچ‌کس دربارهٔ این توکن‌ها، در متنی که اکنون برجاست، از مدل هدف نپرسیده است.
round-try-full = به دوری بروید که همه در آن پذیرفته شدند.
round-try-first = به دوری بروید که نخستین پیش‌نویسش رد شد.
round-try-sampled = دما را ۱ بگذارید و اجرا کنید: حالا p و q توزیع‌اند و u تعیین می‌کند.

token-accepted = توکن { $position }، پذیرفته
token-rejected = توکن { $position }، ردشده
token-corrected = توکن { $position }، تصحیح
token-bonus = توکن { $position }، اضافی
token-unjudged = توکن { $position }، داوری‌نشده

round-recording = { speculate-recording }
round-request = { speculate-prompt }
round-run-prompt = { speculate-prompt }
round-run-own = { speculate-own }
    .help = { speculate-own.help }
round-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
round-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
round-run-gamma = { speculate-gamma }
round-run-temperature = { speculate-temperature }
round-run-length = { speculate-length }
round-run-seed = { speculate-seed }
