family-title = أيُّ مُسوِّد يفوز، وعلى جهاز مَن؟
    .nav = العائلة جنبًا إلى جنب
family-why = في هذه الطرق كلها يخمّن شيءٌ رخيص رموزًا، وتفحصها تمريرة واحدة للهدف. وتختلف في من يخمّن، وفي التخمينات: أهي في سطر أم في شجرة. الرموز في التمريرة من شأن المُسوِّد والنص، أما الزمن فمن شأن الجهاز. لذلك يمرّ هنا مُدخَل واحد بالطرق كلها، وإلى جانبه ما تذكره كل ورقة عن جهازها، وما قاسه طرف ثالث على جهاز واحد.

family-papers-title = من ٢٠٢٢ إلى ٢٠٢٥: ما تذكره كل ورقة
family-papers-text = يمتد الخط على معاملات التسريع التي تقدّمها الورقة أولًا، وكلٌّ منها قياسًا إلى خط أساس الورقة نفسها، وعلى نموذجها وجهازها ومهامها. والمعيّن المفرغ هو الطريقة نفسها في لوحة Spec-Bench: ‏{ $machine }، ‏{ $model }، فك ترميز جشع، FP16، حجم الدفعة ١. والخط الذي يبدأ من ١ معناه «حتى».
family-papers-alt = الأوراق شهرًا شهرًا من { $first } إلى { $last }، ومع كل ورقة معاملات التسريع التي تذكرها، وما قيس لها في لوحة Spec-Bench إن وُجد. والأعداد نفسها في القائمة وفي الجدول.
family-papers-table = كل الأرقام بشروطها
family-papers-gaps = الخانة الفارغة: لا تذكره المقاطع التي أُخذ منها هنا (الملخصات والجداول وملاحظات المؤلفين). والرموز في التمريرة تشمل رمز الهدف نفسه. وT درجة الحرارة.
family-axis-speedup = معامل التسريع قياسًا إلى فك الترميز العادي
family-mark-bench = الطريقة نفسها في Spec-Bench
family-kind-chain = نموذج أصغر أو مختصَر، في سطر
family-kind-tree = النموذج المُسوِّد، في شجرة
family-kind-trained = مدرَّب على سمات الهدف
family-kind-matching = بلا نموذج، من النص وحده
family-paper-line = **{ $month }** · { $paper }: ‏{ $claim }. { $told }

family-paper-leviathan = القاعدة: يُقبل الرمز المُسوَّد باحتمال $\min(1, p/q)$، فيكون للمُخرَج توزيع الهدف نفسه. قاست الورقة في جداولها من ١٫٤ إلى ٣٫٤ ضعفًا. ومُسوِّد هو جدول لأزواج الكلمات يعطي بحسب صيغتها ١٫٢٥.
family-paper-chen = القاعدة نفسها، وُجدت في الوقت نفسه، على هدف فيه ٧٠ مليار معامل موزّع على عدة رقائق. وهي تامة، كما تقول الورقة، في حدود حساب العتاد.
family-paper-specinfer = التخمينات في شجرة رموز تفحصها تمريرة واحدة، بقناع لا يُري كل عقدة إلا أسلافها. وخط الأساس أنظمة أخرى لتقديم النماذج، لا SpecInfer بلا تخمين. وحين تُحفظ الأوزان خارج GPU يكبر الكسب: من ٢٫٦ إلى ٣٫٥ ضعفًا.
family-paper-staged = شجرة أيضًا، والمُسوِّد نفسه يخمّن له ما هو أرخص منه.
family-paper-draft-verify = يسوّد الهدف لنفسه بعد ترك بعض طبقاته. لا نموذج ثانيًا ولا تدريب.
family-paper-lookup = المُسوِّد بحث: أين وردت الرموز الأخيرة من قبل، وماذا تلاها؟ ولا كسب حيث لا يكرر النص شيئًا. قاس المؤلفون التلخيص والأسئلة عن نص معطى والمحادثة.
family-paper-medusa = رؤوس إضافية على آخر سمات الهدف تخمّن عدة مواضع معًا. ٢٫١٨ لـ { "Medusa-1" }، وفيه يبقى الهدف كما هو. أما { "Medusa-2" } فيدرّب الهدف أيضًا ويبلغ ٢٫٨٣. وما في الملخص، وهو ٣٫٦، أكثر مما في جدول الورقة. ومع القبول النمطي يكون المُخرَج تقريبيًّا: لا يعود توزيعه توزيع الهدف.
family-paper-eagle = طبقة صغيرة واحدة تواصل سمات الهدف بدل رموزه، ويُقال لها أي رمز سُحب. من ٢٫٧ إلى ٣٫٥ ضعفًا لنموذج فيه ٧٠ مليار معامل. وعلى { "Vicuna-13B" } في الورقة ٣٫٠٧.
family-paper-lookahead = يخمّن الهدف لنفسه بخطوات Jacobi في التمريرة نفسها. وما يضيفه الملخص للشيفرة، وهو ٤ أضعاف، يحتاج عدة وحدات GPU.
family-paper-layerskip = الطبقات الأولى تسوّد والباقية تفحص. ولا بد أن يُدرَّب الهدف حتى تقدر طبقاته الأولى على الكلام، ولا تكسب شيفرة المؤلفين إلا مع مثل هذه النماذج.
family-paper-eagle-2 = ‏EAGLE وشجرته تنمو حيث يثق المُسوِّد. و٤٫٢٦ أفضل ما فيها: { "Vicuna-13B" } في المحادثة.
family-paper-eagle-3 = يقرأ المُسوِّد الهدف عند ثلاثة أعماق، ويُدرَّب على تخميناته هو، وعلى بيانات أكثر بنحو ثماني مرات. و٦٫٥ أفضل أرقامها كلها، والمتوسط على { "Vicuna-13B" } هو ٥٫٥١.

family-boards-title = شيفرة قياس واحدة وجهازان
family-boards-text = يُشغِّل Spec-Bench الطرق كلها خلف الشيفرة نفسها: فك ترميز جشع، FP16، حجم الدفعة ١، { "PyTorch 2.5.1" }. اختر لوحتين من لوحاته، والمهام.
family-board-a = اللوحة الأولى
family-board-b = اللوحة الثانية
family-board-option-a100-13b = A100 · { "Vicuna-13B" }
family-board-option-a100-7b = A100 · { "Vicuna-7B" }
family-board-option-3090-7b = { "RTX 3090 · Vicuna-7B" }
family-board-option-a100-33b = A100 · { "Vicuna-33B" }
family-task = المهام
family-task-all = الست كلها
family-task-conversation = المحادثة
family-task-translation = الترجمة
family-task-summary = التلخيص
family-task-question = الأسئلة
family-task-maths = الرياضيات
family-task-retrieval = الإجابة من نص مسترجَع
family-boards-same = اللوحتان واحدة. اختر لوحة أخرى.
family-boards-told = { $swapped ->
    [0] لا تتبادل طريقتان مكانيهما.
    [one] من أصل { $pairs } زوجًا من الطرق يتبادل زوج واحد مرتبتيه بين اللوحتين.
    [two] من أصل { $pairs } زوجًا من الطرق يتبادل زوجان المراتب بين اللوحتين.
   *[other] من أصل { $pairs } زوجًا من الطرق يتبادل { $swapped } المراتب بين اللوحتين.
} وأبعدها انتقالًا { $mover }: من المرتبة { $before } إلى المرتبة { $after }.
family-boards-told-none = تبقى الطرق كلها، وعددها { $methods }، في مراتبها.
family-boards-alt = معامل التسريع لكل طريقة على اللوحتين، مع رموزها في التمريرة. والأعداد نفسها في الجدول.
family-boards-table = اللوحتان
family-boards-source = من { $leaderboard } في Spec-Bench، الإيداع fd2c1cd.
family-boards-tokens = الرموز في التمريرة، كل المهام (اللوحة الثانية)

family-notice-machine = الهدف نفسه، { "Vicuna-7B" }، على GPU وأخرى: على { "RTX 3090" } يكسب النموذج المُسوِّد أكثر من رؤوس Medusa ‏(١٫٧٩ مقابل ١٫٤٤)، وعلى A100 أقل (١٫٥٢ مقابل ١٫٧١). والرموز في التمريرة لا تكاد تتحرك. إنما يتغيّر ما تكلّفه التمريرة وخطوة المُسوِّد.
family-notice-third-party = على { "Vicuna-13B" } في ورقة { "EAGLE-2" } ‏٤٫٢٦ ضعفًا في المحادثة. ويقيس Spec-Bench هناك ٢٫٩٥، و٢٫٤٦ على المهام الست. يبقى ترتيب EAGLE و{ "EAGLE-2" } و{ "EAGLE-3" }، ولا تبقى المقادير.
family-notice-tokens = ليست كثرة الرموز في التمريرة سرعة. على A100 مع { "Vicuna-7B" } يعطي البحث في المُدخَل ١٫٧٥ رمز في التمريرة وتسريعه ١٫٦٦، ويعطي نموذج مُسوِّد ٢٫٢٨ وتسريعه ١٫٥٢. فتخمينات هذا تكلّف زمنًا، وتخمينات البحث لا تكاد تكلّف شيئًا.
family-notice-task = وللنص حكمه أيضًا. على A100 مع { "Vicuna-13B" } يسرع البحث في المُدخَل ٢٫٣ ضعفًا في التلخيص، لأنه يكرر مصدره، ولا يكسب شيئًا في الترجمة.

family-try-machines = قارن { "RTX 3090" } بـ A100 والنموذج نفسه: أي الطرق تتبادل أماكنها؟
family-try-summary = انظر إلى التلخيص وحده: من يسبق EAGLE؟
family-try-size = قارن ٧ مليارات معامل بـ ٣٣ مليارًا على A100: ماذا يغيّر هدف أكبر؟

family-column-month = الشهر
family-column-name = الطريقة
family-column-kind = من يخمّن
family-column-low = من
family-column-high = إلى
family-column-tokens = الرموز في التمريرة
family-column-model = النموذج
family-column-machine = الجهاز
family-column-batch = حجم الدفعة
family-column-temperature = الحرارة
family-column-task = المهمة
family-column-exact = توزيع الهدف
family-column-source = المصدر
family-column-board = اللوحة
family-column-method = الطريقة
family-column-speedup = معامل التسريع، كل المهام
family-column-conversation = المحادثة
family-column-translation = الترجمة
family-column-summary = التلخيص
family-column-question = الأسئلة
family-column-maths = الرياضيات
family-column-retrieval = الاسترجاع

family-run-title = مُدخَل واحد وكل الطرق، على هذا الجهاز
family-run-text = يفك الهدف ترميز مُدخَل واحد بكل طريقة في دورها. ويأتي فك الترميز التتابعي أولًا، وإليه تُقاس معاملات التسريع في التشغيل نفسه. والتمريرات على المُدخَل متروكة في الجميع.
family-open-title = افتح سجلًّا محفوظًا
family-open-text = في سجل `family` مُدخَل واحد فُك ترميزه بكل الطرق، مع دوراتها كلها. وهذا الأمر يصنع سجلًّا:
family-open = سجل لهذه الصفحة (JSONL)
family-save = سجل التشغيل (JSONL)
family-controls = تشغيل من عندك: المُدخَل والطرق ودرجة الحرارة
family-run-prompt = { speculate-prompt }
family-run-own = { speculate-own }
    .help = { speculate-own.help }
family-run-methods = الطرق
    .help = يُشغَّل فك الترميز التتابعي دائمًا للمقارنة به.
family-run-temperature = { speculate-temperature }
family-run-length = { speculate-length }
family-run-seed = { speculate-seed }
family-told = درجة الحرارة { $temperature }، الرموز الجديدة حتى { $length }، البذرة { $seed }، المسار { $lane }.
family-waiting = يأتي فك الترميز التتابعي أولًا، ويظهر صف كل طريقة حين تنتهي.
family-done = انتهى من الطرق { $done } من { $all }.

family-method-serial = فك الترميز التتابعي
family-method-chain = النموذج المُسوِّد، سلسلة
family-method-ngram = جدول n-gram
family-method-lookup = بحث في المُدخَل
family-method-early-exit = خروج مبكر
family-method-staged = على مرحلتين
family-method-specinfer = شجرة SpecInfer
family-method-medusa = Medusa
family-method-eagle = EAGLE
family-method-eagle-2 = { "EAGLE-2" }

family-verdict-gain = **الأسرع هنا: { $method }، بمعامل تسريع { $speedup } قياسًا إلى التتابعي.**
family-verdict-loss = **لا طريقة هنا أسرع من فك الترميز التتابعي.** وأقربها { $method }، بمعامل { $speedup }.
family-verdict-tokens = والأكثر رموزًا في التمريرة: { $method }، { $tokens }.
family-verdict-slower = أبطأ من فك الترميز التتابعي: { $methods }.
family-verdict-board = ومن هذه الطرق تأتي { $method } أولًا في لوحة Spec-Bench، بمعامل { $speedup }.
family-comma = {" "}و

family-run-alt = لكل طريقة معامل تسريعها في هذا التشغيل، ورموزها في التمريرة، ومعاملات التسريع في ورقتها وفي لوحة Spec-Bench. والأعداد نفسها في الجدول.
family-mark-here = مقيس هنا
family-mark-tokens = الرموز في التمريرة، هنا
family-mark-paper = في ورقتها
family-run-legend = العلامة الرمادية هي ما كانت النقطة الزرقاء ستبلغه لو لم تكلّف التخمينات شيئًا، ولم تكلّف التمريرة الواسعة للهدف أكثر من الضيقة.

family-table-label = هذا التشغيل إلى جانب الأوراق و Spec-Bench
family-head-method = الطريقة
family-head-promise = ما تَعِد به
family-head-tokens = الرموز في التمريرة
family-head-passes = التمريرات
family-head-nodes = التخمينات المفحوصة
family-head-time = الزمن، ثانية
family-head-speedup = × التتابعي
family-head-paper = ورقتها: معامل التسريع · الرموز في التمريرة
family-drafting = التسويد { $share }
family-promise-law = توزيع الهدف
family-promise-greedy = رموز الهدف نفسها، في FP32
family-promise-approximate = تقريبي
family-text-equal = نص فك الترميز التتابعي
family-text-parted = نص آخر
family-table-note = تحت كل رقم شروطه: النموذج، والجهاز، وحجم الدفعة B، ودرجة الحرارة T، والمهام. وهي نماذج أخرى على أجهزة أخرى، فاقرأ الأعمدة نزولًا ولا تقابل الأرقام في الصف. ‏Spec-Bench: فك ترميز جشع، FP16، حجم الدفعة ١، معامل التسريع · الرموز في التمريرة.
family-table-run = التشغيل في جدول

family-text-title = ما كتبته كل طريقة، تمريرةً تمريرة
family-text-of = الطريقة
family-strip-legend = ✓ تخمين ثبت، ◆ رمز الهدف نفسه بعد رفض، + رمزه بعد أن ثبتت التخمينات كلها. تنتهي كل تمريرة بـ ◆ أو +، أو بـ ✓ عند نهاية النص. والإطار البرتقالي: أول رمز ليس رمز فك الترميز التتابعي.
family-strip-parted = عند فك الترميز التتابعي هنا «{ $token }»
family-strip-ended = انتهى فك الترميز التتابعي هنا

family-notice-run = كلما زادت التخمينات المفحوصة زادت الرموز في التمريرة، ولا تتجاوز عمق الشجرة زائد واحد. أما كلفة التمريرة الواسعة فيقررها الجهاز: على GPU مع حجم الدفعة ١ لا تكاد تزيد على الضيقة، وعلى المعالج CPU تزيد كثيرًا.
family-notice-exact = عند درجة الحرارة ٠ وفي FP32 لا بد أن تكتب كل طريقة رموز فك الترميز التتابعي، والقبول النمطي عندها هو السير الجشع. وفوق ٠ تحفظ الطريقة التامة توزيع الهدف لا السحب نفسه، فقد يكون نصها غيره. أما القبول النمطي في Medusa فلا يحفظ هذا ولا ذاك، ويُوسَم بأنه تقريبي.
family-try-repeat = اجعل النموذج يكرر جملة ثم شغِّل: يتقدّم البحث في المُدخَل، وتتأخر مُسوِّدات القصص.
family-try-sampled = اجعل درجة الحرارة ١ وشغِّل: أي النصوص يبقى كما هو، وأي طريقة صارت تقريبية؟

family-column-drafter = المُسوِّد
family-column-shape = الشكل
family-column-rule = القاعدة
family-column-exactness = ما تَعِد به
family-column-new_tokens = الرموز الجديدة
family-column-passes = التمريرات
family-column-tokens_per_pass = الرموز في التمريرة
family-column-nodes = التخمينات المفحوصة
family-column-levels = خطوات المُسوِّد
family-column-seconds = الزمن، ثانية
family-column-draft_seconds = التسويد، ثانية
family-column-verify_seconds = التحقق، ثانية
family-column-run_speedup = × التتابعي
family-column-equal = نص التتابعي
family-column-paper = الورقة
family-column-paper_low = الورقة، من
family-column-paper_high = الورقة، إلى
family-column-paper_tokens = الورقة، الرموز في التمريرة
family-column-conditions = شروط الورقة
family-column-bench_speedup = Spec-Bench، معامل التسريع
family-column-bench_tokens = Spec-Bench، الرموز في التمريرة
family-column-text = النص
