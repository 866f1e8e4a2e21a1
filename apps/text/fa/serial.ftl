serial-title = گمانه‌زنی با همان زمان چه می‌کند؟
    .nav = پیاپی در برابر گمانه‌زن
serial-why = رمزگشایی ساده برای هر توکن یک بار همهٔ مدل هدف را اجرا می‌کند. در گمانه‌زنی یک پیش‌نویس ارزان چند توکن پیشنهاد می‌دهد و یک گذر مدل هدف همه را بازبینی می‌کند؛ پس هر گذر یک توکن یا بیشتر می‌دهد.

serial-lane-plain = رمزگشایی ساده
serial-lane-speculative = رمزگشایی گمانه‌زن
serial-legend-draft = یک گام پیش‌نویس
serial-legend-verify = یک گذر مدل هدف، بر یک جایگاه یا بر یک پنجره
serial-kind-token = مدل هدف، یک توکن
serial-kind-draft = گام پیش‌نویس
serial-kind-verify = مدل هدف، یک گذر بر همهٔ توکن‌های پیش‌نویس
serial-hover = { $kind }، شمارهٔ { $round }: { $length }
serial-unit-ms = میلی‌ثانیه
serial-unit-steps = گام هدف

serial-player-play = پخش
serial-player-pause = درنگ
serial-player-back = یک گام پس
serial-player-next = یک گام پیش
serial-player-time = زمان
serial-player-speed = سرعت
serial-player-lanes = هر دو لاین روی یک محور زمان
serial-player-elapsed = زمان گذشته
serial-player-plain = توکن‌ها، ساده
serial-player-speculative = توکن‌ها، گمانه‌زن
serial-player-speedup = ضریب تسریع تا اینجا

serial-real-title = یک اجرای واقعی
serial-real-text = هر دو لاین یک پرامپت را با یک مدل هدف رمزگشایی می‌کنند. تنها گذرها کشیده شده‌اند، گذرهای مدل هدف و پیش‌نویس: آنچه میان آن‌ها انجام می‌شود (برداشتن توکن‌ها، نگه‌داشتن همین ردّ) در هر دو لاین کنار گذاشته شده است، و نیز گذر مدل هدف بر پرامپت، که توکن آن در زمان ۰ ایستاده است. توکن‌های یک دور با هم پدیدار می‌شوند، وقتی گذر آن دور پایان می‌یابد.
serial-verdict-faster = **گمانه‌زنی اینجا ×{ $speedup } تندتر است:** { $tokens } توکن در { $rounds } دور، { $mean } توکن در هر گذر مدل هدف.
serial-verdict-slower = **گمانه‌زنی اینجا می‌بازد، ×{ $speedup }:** { $tokens } توکن در { $rounds } دور، { $mean } توکن در هر گذر مدل هدف. گام‌های پیش‌نویس و گذرهای پهن‌تر بیش از آنچه صرفه‌جویی می‌کنند هزینه دارند.
serial-verdict-same = **گمانه‌زنی و رمزگشایی ساده اینجا یک اندازه زمان می‌برند، ×{ $speedup }:** { $tokens } توکن در { $rounds } دور، { $mean } توکن در هر گذر مدل هدف.
serial-plain-first = نخست اجرای ساده می‌آید تا با آن مقایسه شود. دورها پس از آن می‌آیند.
serial-fact-alpha = آزمون‌های پذیرفته ÷ همهٔ آزمون‌ها
serial-fact-c = ‏c: گام پیش‌نویس ÷ گام هدف
serial-fact-v = ‏v: گذر یک دور کامل ÷ گام هدف
serial-fact-rest = میان گذرها، کشیده‌نشده، میلی‌ثانیه در هر دور
serial-text-same = هر دو لاین همان توکن‌ها را نوشتند.
serial-text-differs = دو متن در توکن { $index } از هم جدا می‌شوند. در دمای بالاتر از ۰ این خطا نیست: گمانه‌زنی توزیع متن را نگه می‌دارد، نه خودِ قرعه را.
serial-text-parts = دو متن در توکن { $index } از هم جدا می‌شوند، در دمای ۰. در حساب دقیق این شدنی نیست: گذر بر چند جایگاه جور دیگری گرد کرده است تا گذر بر یکی.

serial-sliders-title = همین مسابقه از چهار عدد
serial-sliders-text = هر پیش‌نویس با احتمال α پذیرفته می‌شود، هر چه پیش از آن آمده باشد. زمان‌ها به گام هدف‌اند؛ پس رمزگشایی ساده برای هر توکن یک گام می‌برد.
serial-alpha = ‏α، پذیرش
    .help = احتمال پذیرفته شدن یک توکن پیش‌نویس.
serial-gamma = ‏γ، توکن‌های پیش‌نویس هر دور
serial-c = ‏c، یک گام پیش‌نویس
    .help = زمان یک گام پیش‌نویس ÷ زمان یک گام هدف.
serial-v = ‏v، گذر بر ⁦γ + ۱⁩ جایگاه
    .help = زمان آن گذر ÷ زمان یک گام هدف. مقاله آن را ۱ می‌گیرد.
serial-tokens = توکن‌ها
serial-seed = بذر
serial-sliders-told = این قرعه: ×{ $drawn }. فرمول، میانگینِ بسیار: ×{ $formula }، با { $expected } توکن در هر دور.
serial-sliders-loss = اینجا گمانه‌زنی می‌بازد: هر دور { $cost } گام هدف هزینه دارد و { $expected } توکن می‌دهد.
serial-sliders-table = این لاین‌ها به صورت جدول

serial-column-lane = لاین
serial-column-round = دور
serial-column-kind = کار
serial-column-start_seconds = آغاز، ثانیه
serial-column-end_seconds = پایان، ثانیه
serial-column-start_steps = آغاز، گام
serial-column-end_steps = پایان، گام
serial-column-tokens = توکن‌ها تا آن زمان

serial-notice-pass = یک گذر پهن مدل هدف اندکی بیش از گذر برای یک توکن زمان می‌برد، چون هر دو همهٔ وزن‌ها را یک بار می‌خوانند. همهٔ سود همین است.
serial-notice-burst = توکن‌های گمانه‌زن دسته‌دسته می‌آیند. نخستین توکن هر دور دیرتر از آن می‌آید که رمزگشایی ساده می‌داد.
serial-notice-reject = دوری که نخستین پیش‌نویسش رد شود باز هم یک توکن می‌دهد، توکن خود مدل هدف. هزینهٔ گام‌های پیش‌نویس روی آن است.
serial-try-run = لغزنده‌ها را روی آنچه اجرای بالا نشان داد بگذارید.
serial-try-good = پیش‌نویسی خوب و ارزان: ⁦α = ۰٫۹⁩، ⁦γ = ۶⁩، ⁦c = ۰٫۰۲⁩.
serial-try-poor = پیش‌نویسی بد: ⁦α = ۰٫۲⁩، ⁦γ = ۶⁩. گمانه‌زنی می‌بازد.
serial-try-wide = ماشینی که پهنا در آن گران است: ⁦v = ۳⁩ سود را می‌بلعد.

serial-recording = { speculate-recording }
serial-request = { speculate-prompt }
serial-run-prompt = { speculate-prompt }
serial-run-own = { speculate-own }
    .help = { speculate-own.help }
serial-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
serial-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
serial-run-gamma = { speculate-gamma }
serial-run-temperature = { speculate-temperature }
serial-run-length = { speculate-length }
serial-run-seed = { speculate-seed }
