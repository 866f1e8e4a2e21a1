rule-title = چرا توکن پیش‌نویس می‌تواند جای توکن هدف بنشیند؟
    .nav = قاعده، توکن‌به‌توکن
rule-why = توکن پیش‌نویس با احتمال $\min(1, p/q)$ نگه داشته می‌شود، و پس از رد، توکن دیگری از آنچه p بیش از q دارد برداشته می‌شود. این دو با هم به هر توکن درست احتمال p را می‌دهند، پیش‌نویس هر چه باشد.

rule-pick = متن این اجرا: یک توکن را برگزینید
rule-token = توکن
    .help = با فشردن یک توکن در متن نیز می‌توان آن را برگزید.
rule-legend = ✓ پذیرفته، ◆ تصحیح پس از رد، + توکن اضافی پس از دور بی‌رد.
rule-told-accepted = **پذیرفته.** پیش‌نویس «{ $token }» را پیشنهاد داد: ⁦q = { $q }⁩، ⁦p = { $p }⁩. احتمال نگه‌داشتن $\min(1, p/q)$ = { $acceptance } است و ⁦u = { $u }⁩ کمتر از آن.
rule-told-corrected = **ردشده و تصحیح‌شده.** پیش‌نویس «{ $token }» را پیشنهاد داد: ⁦q = { $q }⁩، ⁦p = { $p }⁩. احتمال نگه‌داشتن $\min(1, p/q)$ = { $acceptance } است و ⁦u = { $u }⁩ کمتر از آن نیست. پس «{ $correction }» از توزیع تعدیل‌شدهٔ $p'$ برداشته شد.
rule-told-bonus = **توکن اضافی.** اینجا چیزی پیش‌نویس نشده بود: گذر یک توزیع اضافه داشت و «{ $token }» از خود p برداشته شد.
rule-fact-q = ‏q توکن پیش‌نویس
rule-fact-p = ‏p همان
rule-fact-acceptance = احتمال پذیرش
rule-fact-u = ‏u
rule-fact-beta = ‏β = Σ min(p, q)
rule-fact-support-p = توکن‌های با ⁦p > ۰⁩
rule-fact-support-q = توکن‌های با ⁦q > ۰⁩
rule-no-laws = این ردّ توزیع‌ها را نگه نداشته است. آن را با توزیع‌ها ضبط کنید، یا همین‌جا اجرا کنید.
rule-laws-alt = ‏p، q و توزیع تعدیل‌شدهٔ محتمل‌ترین توکن‌ها در توکن { $index }
rule-tail = همهٔ دیگران
rule-line-p = ‏p، هدف
rule-line-q = ‏q، پیش‌نویس
rule-line-residual = ‏p′، تعدیل‌شده
rule-axis-probability = احتمال
rule-axis-token = توکن

rule-play-title = واژگانی آن‌قدر کوچک که بتوان وارسی کرد
rule-play-text = وزن‌های هر دو توزیع را بگذارید؛ خودشان بهنجار می‌شوند. هیچ توکنی برداشته نمی‌شود: همهٔ راه‌هایی که توکنی می‌تواند بیرون بیاید جمع زده می‌شود. هر میله دو بخش دارد، پیش‌نویس‌های پذیرفته و تصحیح‌ها، و باید به نشان p برسد.
rule-size = توکن‌های واژگان
rule-p1 = ‏p توکن A
rule-p2 = ‏p توکن B
rule-p3 = ‏p توکن C
rule-p4 = ‏p توکن D
rule-p5 = ‏p توکن E
rule-p6 = ‏p توکن F
rule-p7 = ‏p توکن G
rule-p8 = ‏p توکن H
rule-q1 = ‏q توکن A
rule-q2 = ‏q توکن B
rule-q3 = ‏q توکن C
rule-q4 = ‏q توکن D
rule-q5 = ‏q توکن E
rule-q6 = ‏q توکن F
rule-q7 = ‏q توکن G
rule-q8 = ‏q توکن H
rule-preset-near = کمابیش همانند
rule-preset-equal = برابر: ⁦p = q⁩
rule-preset-disjoint = جدا از هم
rule-preset-greedy = هدف با ⁦T = ۰⁩
rule-preset-zeros = احتمال‌های صفر
rule-preset-flat = پیش‌نویس هموار
rule-rule = قاعده
rule-rule-exact = خود قاعده
rule-rule-accept-always = خطا: همیشه پذیرفتن
rule-rule-correct-from-target = خطا: تصحیح از p
rule-rule-softmax-residual = خطا: softmax روی باقی‌مانده
rule-rule-reversed-test = خطا: آزمون ⁦u > p/q⁩
rule-rule-greedy-draft = خطا: پیشنهاد محتمل‌ترین توکن، آزمون با q
rule-part-accepted = پیش‌نویس‌های پذیرفته
rule-part-corrected = تصحیح‌ها
rule-parts-alt = برای هر توکن احتمال بیرون آمدنش، پذیرفته و تصحیح‌شده، در کنار p و q
rule-verdict-exact = **دقیق.** برای هر توکن، بخش پذیرفته $\min(p, q)$ و بخش تصحیح $\max(0, p - q)$ روی هم p می‌شوند.
rule-verdict-hidden = **با این دو توزیع خطایی دیده نمی‌شود.** خطا همچنان هست: آزمونی با چنین جفتی آن را نمی‌یابد.
rule-verdict-wrong = **توزیع نادرست.** توکن { $token } با احتمال { $out } بیرون می‌آید؛ باید { $p } باشد. فاصلهٔ تغییر کل از p برابر است با { $error }.
rule-play-alpha = ‏β = Σ min(p, q)
rule-play-accepted = پیش‌نویس‌های پذیرفته
rule-play-error = فاصلهٔ تغییر کل از p
rule-play-deviation = بیشترین |توزیع − p|
rule-gamma = ‏γ دور شمارش‌شده
rule-round-title = همهٔ نتیجه‌های یک دور با { $gamma } پیش‌نویس، به حکم قاعده
rule-round-outcomes = نتیجه‌ها
rule-round-total = جمعشان
rule-round-first = توکن نخست: بیشترین |توزیع − p|
rule-round-mean = توکن در هر دور، شمارش‌شده
rule-round-formula = توکن در هر دور، معادلهٔ ۱
rule-outcomes = نتیجه‌ها به صورت جدول
rule-rules = همهٔ قاعده‌ها روی این دو توزیع
rule-column-index = توکن
rule-column-token = متن
rule-column-how = چگونه بیرون آمد
rule-column-round = دور
rule-column-drafted = پیش‌نویس
rule-column-acceptance = احتمال پذیرش
rule-column-beta = β
rule-column-emitted = بیرون‌آمده
rule-column-tokens = توکن‌ها
rule-column-probability = احتمال
rule-column-rule = قاعده
rule-column-accepted = پذیرفته
rule-column-distance = فاصلهٔ تغییر کل از p

input-no_weight = همهٔ وزن‌های { $law } صفرند. دست‌کم یکی را بالا ببرید.

rule-notice-fill = بخش پذیرفته هرگز بالاتر از p و بالاتر از q نیست: همان جایی است که دو توزیع بر هم می‌افتند. توزیع تعدیل‌شده درست همان چیزی را پر می‌کند که کم است.
rule-notice-draft = پیش‌نویس بدتر شمار ردها را عوض می‌کند، نه توزیعی را که بیرون می‌آید. با ⁦β = ۰⁩ هر توکن تصحیح است، برداشته از p.
rule-notice-greedy = در دمای ۰ هر دو توزیع تک‌نقطه‌ای‌اند: قاعده می‌پرسد آیا هر دو یک توکن را نام می‌برند، و متن همان متن مدل هدف است.
rule-try-zeros = احتمال‌های صفر: آنچه هدف هرگز نمی‌گوید هرگز نگه داشته نمی‌شود.
rule-try-softmax = ‏softmax روی باقی‌مانده: توکن‌های با ⁦p < q⁩ سهمی می‌گیرند که نباید.
rule-try-hidden = ⁦p = q⁩ با خطای ⁦u > p/q⁩: چیزی دیده نمی‌شود.

rule-recording = { speculate-recording }
rule-request = { speculate-prompt }
rule-run-prompt = { speculate-prompt }
rule-run-own = { speculate-own }
    .help = { speculate-own.help }
rule-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
rule-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
rule-run-gamma = { speculate-gamma }
rule-run-temperature = { speculate-temperature }
rule-run-length = { speculate-length }
rule-run-seed = { speculate-seed }
