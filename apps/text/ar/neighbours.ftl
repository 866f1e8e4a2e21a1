neighbours-title = المُدخَل نفسه وجيران مختلفون: هل يبقى الجواب نفسه؟
    .nav = جيران مختلفون
neighbours-why = يفك الخادم ترميز مُدخَلك مع مُدخَلات غيرك. فالجيران يغيّرون حجم الدفعة، وحجم الدفعة يغيّر ترتيب الجمع، وهذا وحده قد يغيّر رمزًا في BF16.

neighbours-prompt = المُدخَل
neighbours-prompt-sky = لماذا السماء زرقاء؟ (بالإنجليزية)
neighbours-prompt-lighthouse = قصة عن حارس منارة
neighbours-prompt-sum = جمع عددين خطوة بخطوة
neighbours-prompt-reverse = عكس قائمة في Python
neighbours-prompt-copper = ثلاثة استعمالات للنحاس
neighbours-prompt-letter = رسالة عن سياج
neighbours-prompt-tides = ما سبب المد والجزر؟
neighbours-prompt-soup = وصفة شوربة عدس
neighbours-prompt-own = مُدخَلك أنت…
neighbours-own-prompt = مُدخَلك
neighbours-company = الجيران
    .help = من يشارك في الدفعة. حتى نُسخ المُدخَل نفسه تغيّر حجم الدفعة.
neighbours-company-others = أسئلة أخرى
neighbours-company-copies = نُسخ من المُدخَل نفسه
neighbours-company-own = جيرانك أنت…
neighbours-own-company = جيرانك، مُدخَل في كل سطر
neighbours-batches = أحجام الدفعة
    .help = حجم أو أكثر من ٢ إلى ٦٤، مثل `2, 8, 32`. يُقارَن كل حجم بالمُدخَل منفردًا.
neighbours-length = الرموز الجديدة
neighbours-lane = المسار
    .help = المسار الحسابي. يحسب bf16-emulated كما تحسب وحدة GPU، ويحدد الجدول أدناه ترتيب الجمع. أما fp32 وbf16-invariant فترتيبهما ثابت. وbf16-native هو ما تفعله torch على هذا الجهاز.
neighbours-more = الجيران وجدول الترتيب
neighbours-schedule = **ما يجوز للدفعة أن تغيّره في bf16-emulated.** كل مفتاح يربط ترتيب الجمع في عملية واحدة بالدفعة.
neighbours-linears = الطبقات الخطية (split-K)
neighbours-attention = الانتباه (split-KV)
neighbours-norm = RMSNorm (حجم الكتلة)
neighbours-split-k = جدول split-K
    .help = أزواج صفوف:أقسام. المعنى في `1:4,8:2`: صف واحد بأربعة مجاميع جزئية، وحتى ٨ صفوف بمجموعين، وفوق ذلك بمجموع واحد.
neighbours-partials = تقريب المجاميع الجزئية إلى BF16
    .help = الاختزال منخفض الدقة في cuBLAS. وإلا بقيت المجاميع الجزئية في FP32.
neighbours-forced = اتّباع رموز التشغيل المنفرد
    .help = يتّبع التشغيل في الدفعة رموز التشغيل منفردًا، فتقارن كل خطوة السياق نفسه.
neighbours-arrive = الخطوات بين وصول الجيران
    .help = ٠: كل الجيران حاضرون من البداية. وأكثر من ذلك: ينضمون واحدًا بعد آخر فتكبر الدفعة.

neighbours-trace = افتح سجلًا محفوظًا
neighbours-open = سجل تشغيل من هذه الصفحة (JSONL)
neighbours-save = سجل التشغيل (JSONL)
neighbours-recorded = السجل المُسجَّل: «{ $prompt }»، عدد الرموز { $length } في المسار { $lane }، منفردًا وفي دفعات بحجم { $batches }.

neighbours-alone = منفردًا
neighbours-beside = في دفعة حجمها { $batch }
neighbours-margin = الهامش { $margin }
neighbours-delta = الهامش منفردًا { $margin }، وأكبر |Δlogit| يساوي { $delta }
neighbours-parted = يختلف السياقان من هنا، فلا تُقارَن اللوجيتات
neighbours-same-bits = **الدفعة { $batch }: البتات نفسها.** تساوت اللوجيتات في كل الخطوات المقارَنة وعددها { $compared }.
neighbours-same = **الدفعة { $batch }: الرموز نفسها ولوجيتات مختلفة.** عدد الخطوات { $compared }، وأكبر |Δlogit| يساوي { $epsilon }، وأصغر هامش { $margin }.
neighbours-differ = **الدفعة { $batch }: رمز مختلف عند الخطوة { $first }.** { $flips ->
    [one] انقلاب واحد
    [two] انقلابان
    [few] { $flips } انقلابات
    [many] { $flips } انقلابًا
   *[other] { $flips } انقلاب
} في الخطوات المقارَنة وعددها { $compared }؛ وأكبر |Δlogit| يساوي { $epsilon }، وأصغر هامش { $margin }.

neighbours-chart = هامش التشغيل المنفرد عند كل خطوة، مع أكبر تغيّر في اللوجيت في كل دفعة
neighbours-chart-margin = الهامش منفردًا
neighbours-chart-delta = أكبر |Δlogit|، الدفعة { $batch }
neighbours-chart-flip = انقلاب
neighbours-chart-step = الخطوة
neighbours-chart-logits = اللوجيت

neighbours-notice-first = الخطوة الأولى متساوية: يُعالَج المُدخَل منفردًا في التشغيلين. ومن الخطوة الثانية يحسبها شكل آخر للدفعة.
neighbours-notice-margin = لا ينقلب الرمز إلا حيث يصغر الهامش: لا يزيد على ضعف أكبر تغيّر في اللوجيت. ومعظم الخطوات بعيدة عن ذلك.
neighbours-notice-delta = تتغيّر اللوجيتات في كل خطوة تقريبًا وإن لم تتغيّر الرموز. وتقع لوجيتات BF16 بين ١٦ و٣٢ على شبكة خطوتها ٠٫١٢٥، فتأتي التغيّرات بهذا القدر.

neighbours-try-fp32 = اختر المسار fp32 وشغِّل: كل Δ تساوي صفرًا مهما كان الجيران.
neighbours-try-copies = اجعل الجيران نُسخًا من المُدخَل نفسه: يبقى حجم الدفعة مختلفًا.
neighbours-try-forced = اتّبع رموز التشغيل المنفرد في دفعات أحجامها ٢ و٨ و٣٢، وعُدَّ الانقلابات في كل الخطوات.

neighbours-column-batch = الدفعة
neighbours-column-step = الخطوة
neighbours-column-sequences = التسلسلات حينها
neighbours-column-alone = الرمز منفردًا
neighbours-column-beside = الرمز في الدفعة
neighbours-column-flip = انقلاب
neighbours-column-max_delta = أكبر |Δlogit|
neighbours-column-alone_margin = الهامش منفردًا
neighbours-column-beside_margin = الهامش في الدفعة
neighbours-column-alone_id = المعرّف منفردًا
neighbours-column-beside_id = المعرّف في الدفعة
