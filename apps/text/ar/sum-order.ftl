sum-order-title = لماذا يغيِّر ترتيب الجمع نتيجته؟
    .nav = ترتيب الجمع
sum-order-why = تجمع النواة الحسابية الجداءات نفسها بترتيب آخر حين تتغير الدفعة. والجمع بالفاصلة العائمة ليس تجميعيًّا: فترتيب آخر قد يعني نتيجة أخرى.

sum-order-story = القصة
sum-order-story-associativity = ‎(a + b) + c و a + (b + c)‎
sum-order-story-tenth = مجموع ٠٫١ عشر مرات
sum-order-story-swallowed = ٥١٢ واحدًا
sum-order-story-cancellation = اختصار كبير
sum-order-story-kahan-fails = حيث يخفق Kahan ولا يخفق Neumaier
sum-order-story-small-first = الحدود الصغيرة أولًا
sum-order-story-tie-break = حدود ضئيلة تكسر التعادل
sum-order-story-linspace = جداء داخلي تتفانى حدوده (٢٥٦ جداءً)
sum-order-story-layer = لوجيت من SmolLM2، مُسجَّل (٥٧٦ جداءً)
sum-order-addends = حدودك أنت
    .help = أعداد تفصل بينها مسافات أو فواصل أو أسطر، ١٬٠٢٤ على الأكثر. إن كان الحقل فارغًا فالحدود حدود القصة.
sum-order-edit = حرِّر حدود القصة
sum-order-format = صيغة المُدخَلات والنتيجة
    .help = يُقرَّب إليها كل حد قبل الجمع، ويُقرَّب إليها المجموع في آخره.
sum-order-accumulator = المُراكِم
    .help = تُقرَّب كل عملية جمع إلى هذه الصيغة. ومُدخَلات نواة الموتِّرات (tensor core) بصيغة BF16 ومُراكِمها بصيغة FP32.
sum-order-partials = قرِّب المجاميع الجزئية إلى الصيغة
    .help = يكتب تقسيم K مجاميع جزئية في الذاكرة: إما محفوظة بصيغة FP32، وإما مُقرَّبة كما في الاختزال المنخفض الدقة في cuBLAS.
sum-order-products = الحدود جداءات
    .help = تدخل جداءات المُدخَلات إلى المُراكِم دون تقريب، كما في الجداء الداخلي.
sum-order-read = عدد الحدود { $count }: `{ $start }`{ $more ->
    [yes] …
   *[no] {""}
} { $changed ->
    [0] كلها من أعداد { $format }.
   *[other] يتغيّر منها { $changed } حين تُقرَّب إلى { $format }.
}

sum-order-walk-title = ترتيب واحد، خطوة خطوة
sum-order-walk = الترتيب
order-sequential = واحدًا بعد واحد
order-reversed = معكوس
order-ascending = الأصغر أولًا
order-descending = الأكبر أولًا
order-pairwise = زوجًا زوجًا
order-splitk2 = تقسيم K إلى جزأين
order-splitk4 = تقسيم K إلى أربعة
order-splitk8 = تقسيم K إلى ثمانية
order-lanes8 = ثمانية مراكمات SIMD
order-atomics8 = ثماني كتل بعمليات ذرية
order-shuffled = مخلوط
order-kahan = Kahan
order-neumaier = Neumaier
order-byhand = يدوي
sum-order-positions = الترتيب اليدوي، بأرقام المواضع
    .help = مواضع الحدود في القائمة أعلاه، كل موضع مرة: `3 1 2` يجمع الثالث أولًا. إن كان الحقل فارغًا فكما أُعطيت.
sum-order-arrange = الحدود بالترتيب الذي تُجمع به
arrange-hint = اسحب حدًّا، أو ضع التركيز عليه واضغط السهم الأيسر أو الأيمن.
sum-order-one-addend = الحد الواحد هو مجموع نفسه. اكتب حدَّين على الأقل.
sum-order-step = الخطوة
sum-order-result = النتيجة
sum-order-accumulated = في المُراكِم
sum-order-exact = المجموع المضبوط
sum-order-exact-line = المجموع المضبوط
sum-order-off = البعد عن النتيجة الصحيحة بالخطوات

sum-order-step-exact = {"\u2066"}{ $left } + { $right } = { $result }{"\u2069"}. هذا العدد موجود في { $format }، ولا يضيع شيء.
sum-order-step-rounded = {"\u2066"}{ $left } + { $right } = { $sum }{"\u2069"}. يقع في { $format } بين { $below } و{ $above } فيصير { $result }.
sum-order-step-tie = {"\u2066"}{ $left } + { $right } = { $sum }{"\u2069"}، في منتصف ما بين { $below } و{ $above } في { $format }. عند التعادل يُؤخذ الزوجي، { $result }.
sum-order-step-swallowed = **ابتُلع.** {"\u2066"}{ $left } + { $right } = { $sum }{"\u2069"}. يقع في { $format } بين { $below } و{ $above } فيصير { $result }: لم يغيِّر أحد الحدَّين شيئًا.
sum-order-step-partial = وإذا كُتب في الذاكرة بصيغة { $format } صار { $stored }.
sum-order-step-compensated = {"\u2066"}{ $left } + { $right }{"\u2069"} يعطي المجموع { $result }. والتصحيح المحمول بجانبه { $correction }.

sum-order-running = المجموع الجاري
sum-order-running-alt = المجموع الجاري بعد كل حد وبجانبه المضبوط؛ والعلامات عند الحدود المبتلعة.
sum-order-swallowed = مبتلَع
sum-order-this-step = هذه الخطوة
sum-order-addends-so-far = الحدود حتى الآن
sum-order-additions = عملية الجمع
sum-order-total = المجموع
sum-order-lost = خطأ التقريب
sum-order-errors-alt = خطأ التقريب في كل عملية جمع.
sum-order-tree = شجرة الاختزال
sum-order-tree-alt = عمليات جمع { $leaves } حدًّا على هيئة شجرة ارتفاعها { $height }؛ وتميِّز العلامات المضبوط والمُقرَّب والمبتلَع.
sum-order-tree-large = شجرة { $leaves } حدًّا ارتفاعها { $height }. تُرسم الأشجار حتى { $limit } حدًّا.
sum-order-node-addend = حد
sum-order-node-exact = مضبوط
sum-order-node-rounded = مُقرَّب
sum-order-node-swallowed = مبتلَع

sum-order-compare-title = ترتيبات جنبًا إلى جنب
sum-order-orders = الترتيبات
sum-order-no-orders = اختر ترتيبًا واحدًا على الأقل.
sum-order-groups = عدد الترتيبات { $orders }، وعدد النتائج المختلفة { $results }.
sum-order-group = **{ $letter }**، { $value }:
sum-order-result-right = المجموع المضبوط مُقرَّبًا مرة واحدة
sum-order-result-off = نتيجة أخرى
sum-order-outcomes-title = النتائج
sum-order-outcomes-alt = نتيجة كل ترتيب؛ والخط المتقطع هو المجموع المضبوط.
sum-order-bounds-title = الخطأ في المُراكِم وحدُّه الأعلى
sum-order-error = الخطأ
sum-order-bound = الحد الأعلى
sum-order-error-axis = مقدار الخطأ
sum-order-bounds-alt = مقدار خطأ كل ترتيب وبجانبه الحد النظري الأعلى.
sum-order-bounds-note = الحد الأعلى معلوم قبل أي جمع. يتبع كل حد عبر عمليات جمعه هو (Higham ‏٢٠٠٢، القسم ٤٫٢)، وهو لـKahan وNeumaier حدُّهما في الكتب. ولا يشمل إلا عمليات الجمع، لا تقريب النتيجة. والعلامة المفرغة على الحافة اليسرى خطأ مقداره صفر. وحيث يكون الحد لانهائيًّا لا يُرسم شيء.

sum-order-random-title = ترتيبات عشوائية
sum-order-samples = عدد الترتيبات
sum-order-seed = البذرة
sum-order-view = اعرض
sum-order-view-results = النتائج
sum-order-view-sums = المجاميع في المُراكِم
sum-order-spread = عدد الترتيبات العشوائية { $count }. النتائج المختلفة: { $results }. المجاميع المختلفة في المُراكِم: { $sums }. أكثر النتائج تكرارًا { $commonest }، في { $share } من الترتيبات.
sum-order-share = نسبة الترتيبات
sum-order-spread-alt = كم مرة تأتي كل نتيجة بين { $count } من الترتيبات العشوائية.
sum-order-sampling = كيفية الاعتيان: مُراكِم واحد، والحدود واحدًا بعد واحد بترتيب عشوائي، وكل ترتيب محتمل بالقدر نفسه. تُسحب الترتيبات مستقلة حتى ١٬٠٢٤. وما زاد فهو تركيب ترتيبين مسحوبين: كل اثنين منها مستقلان، أما ثلاثة فأكثر فلا، فالنسب صحيحة في المتوسط ودقتها كدقة السحب المستقل.
sum-order-example-low = سِر في ترتيب يعطي { $value }
sum-order-example-high = سِر في ترتيب يعطي { $value }

sum-order-column-step = الخطوة
sum-order-column-left = الأيسر
sum-order-column-right = الأيمن
sum-order-column-exact = المضبوط
sum-order-column-result = النتيجة
sum-order-column-error = الخطأ
sum-order-column-error_gaps = الخطأ بالفجوات
sum-order-column-tie = تعادل
sum-order-column-swallowed = مبتلَع
sum-order-column-correction = التصحيح
sum-order-column-group = المجموعة
sum-order-column-order = الترتيب
sum-order-column-accumulated = في المُراكِم
sum-order-column-bound = الحد الأعلى
sum-order-column-ulps_off = البعد بالخطوات
sum-order-column-key = الاسم في الشيفرة
sum-order-column-height = ارتفاع الشجرة

sum-order-notice-order = لا يختلف شيء غير الترتيب. وكل عملية جمع بمفردها مُقرَّبة تقريبًا صحيحًا.
sum-order-notice-output = مع مُراكِم FP32 لا تختلف المجاميع إلا في خاناتها الأخيرة. وتقريب واحد إلى BF16 في النهاية يخفي الفرق، أو يجعله خطوة كاملة حيث يقع المجموع قرب تعادل.
sum-order-notice-bound = يكبر الحد الأعلى مع ارتفاع الشجرة. والجمع زوجًا زوجًا وتقسيم K شجرتان أقل ارتفاعًا من سلسلة واحدة طويلة.

sum-order-try-swallowed = اجمع ٥١٢ واحدًا في BF16، واحدًا بعد واحد ومقسومة إلى ثمانية: ٢٥٦ و٥١٢.
sum-order-try-layer = خذ لوجيت حقيقيًّا وقرِّب مجاميعه الجزئية إلى BF16: كم يزيح التقسيم المجموع؟
sum-order-try-kahan = اجمع `1` و`1e30` و`1` و`-1e30` بطريقة Kahan: ماذا يحمل التصحيح؟
