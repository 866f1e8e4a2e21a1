speedup-title = ماذا نكسب من α وγ وc؟
    .nav = ما نكسبه من α وγ وc
speedup-why = التسويد يكلّف وقتًا ويوفّر وقتًا. ثلاثة أعداد تقول أيهما يغلب: كم مرة يُقبل الرمز المُسوَّد (α)، وكم رمزًا يُسوَّد في كل دورة (γ)، وكم تطول خطوة المُسوِّد قياسًا إلى خطوة الهدف (c).

speedup-runs = القياسات الظاهرة في الرسم
    .help = اختيار مجموعة يعرض كل قيم γ فيها، ويضبط α وc وv كما قيست على هذا الجهاز.
speedup-runs-fastest = أسرع γ لكل مُسوِّد ولكل نوع من المُدخَلات
speedup-alpha = معدّل القبول α
    .help = احتمال قبول رمز مُسوَّد: متوسط $\sum \min(p, q)$.
speedup-gamma = الرموز المُسوَّدة في كل دورة، γ
    .help = الصفر هو فك الترميز العادي.
speedup-c = معامل التكلفة c
    .help = زمن خطوة واحدة للمُسوِّد ÷ زمن خطوة واحدة للهدف.
speedup-dial = كلفة التحقُّق، $v(γ)$
    .help = زمن تمريرة للهدف على γ + ١ موضعًا ÷ زمنها على موضع واحد.
speedup-dial-paper = v = ١ كما في الورقة
speedup-dial-machine = ما قيس على هذا الجهاز
speedup-dial-roofline = نموذج السقف (roofline)
speedup-machine-batch = حجم الدفعة في القياس
speedup-device = الجهاز
speedup-device-h200 = H200 (ورقة المواصفات)
speedup-device-h100 = H100 (ورقة المواصفات)
speedup-device-a100 = A100 بسعة ٨٠ غيغابايت (ورقة المواصفات)
speedup-device-cpu = نواتا معالج CPU (قياس)
speedup-batch = حجم الدفعة
    .help = عدد التسلسلات التي يُتحقَّق منها معًا. فتضم كل تمريرة عددًا من الصفوف هو حجم الدفعة مضروبًا في γ + ١.
speedup-roofline = عرض الحزمة والذروة والنموذج
speedup-bandwidth = عرض حزمة الذاكرة، GB/s
speedup-peak = ذروة الحساب، TFLOP/s
speedup-billions = معاملات النموذج الهدف بالمليار
speedup-bytes = بايت لكل معامل
speedup-experts = الخبراء
    .help = المعنى في `2-of-8`: يمر كل رمز بخبيرين من ٨. ويُفترض أن كل الأوزان للخبراء وأن التوجيه متساوٍ.
speedup-experts-dense = بلا خبراء (كثيف)
speedup-cache = ذاكرة K/V لكل تسلسل، MB
    .help = تقرؤها كل تمريرة مرة لكل تسلسل. نموذج فيه ٨ مليارات معامل و٨ رؤوس K/V يحفظ نحو ٠٫١٣ ميغابايت لكل رمز.
speedup-roofline-note = زمن التمريرة هو الأطول من زمنين: قراءة أوزانها، أو عمليات الضرب عند الذروة. لا جهاز أفضل من سقفه. فهذه القيمة v تبيّن كيف يكبر التحقُّق مع الدفعة، لا ما ستقيسه أنت.
speedup-roofline-told = { $bandwidth } GB/s، و{ $peak } TFLOP/s، و{ $billions } مليار معامل، بايت لكل معامل: { $bytes }. ومن { $rows } صفًا فصاعدًا تطول عمليات الضرب في التمريرة الكثيفة أكثر من قراءة أوزانها.
speedup-no-recording = لا قياس مُسجَّلًا بعد، فيُؤخذ v = ١. وهذا الأمر يسجّل قياسًا:
speedup-cut = ينتهي المنحنى المقيس عند γ = { $last }، وهو المستعمل هنا.

speedup-verdict = عند γ = { $gamma } تعطي الدورة { $tokens } من الرموز وتستغرق زمن { $cost } من الخطوات العادية: **معامل التسريع { $gain }**.
speedup-verdict-loss = **هنا يخسر التخمين: معامل التسريع { $gain }.** عند γ = { $gamma } تعطي الدورة { $tokens } من الرموز وتستغرق زمن { $cost } من الخطوات العادية.
speedup-reason-pass = السبب هو التحقُّق: تمريرة على { $positions } من المواضع تستغرق وحدها زمن { $v } من الخطوات العادية، أكثر مما تعطيه الدورة.
speedup-reason-draft = السبب هو المُسوِّد: ‏α = { $alpha } لا تزيد على c = { $c }، وعندئذ لا تكسب أي γ مهما رخص التحقُّق (النتيجة ٣٫٩).
speedup-reason-long = السبب هو γ: مُسوَّدات الدورة تستغرق زمن { $drafting } من الخطوات العادية، وأكثر المتأخر منها يُرفض.
speedup-reason-both = السبب هو الاثنان معًا: التسويد يستغرق { $drafting } من الخطوات العادية والتمريرة { $v }. ولو كان أحدهما وحده لبقي كسب.
speedup-best = أفضل γ هي { $best } بمعامل تسريع { $gain }{ $last ->
    [yes] {" "}(أكبر γ يُبحث فيها).
   *[no] .
}
speedup-best-none = لا تكسب هنا أي γ حتى { $last }: فك الترميز العادي هو الأفضل.

speedup-fact-tokens = الرموز في الدورة
speedup-fact-cost = كلفة الدورة بالخطوات العادية
speedup-fact-v = v عند هذه γ
speedup-fact-gain = معامل التسريع
speedup-fact-best = أفضل γ
speedup-fact-oracle = γ العرّافة

speedup-line-gain = معامل التسريع
speedup-line-paper = مع v = ١
speedup-line-oracle = γ العرّافة
speedup-line-best = أفضل γ
speedup-line-chosen = γ المختارة
speedup-line-measured = مقيس
speedup-axis-gain = معامل التسريع
speedup-gain-alt = معامل التسريع مقابل γ، مع γ المختارة وأفضل γ والعرّافة والقياسات إن وُجدت. والأعداد نفسها في الجدول.
speedup-line-all = لو قُبلت كلها
speedup-line-tokens = الرموز في الدورة
speedup-line-cost = كلفة الدورة
speedup-axis-balance = رموز، خطوات عادية
speedup-balance-alt = الرموز التي تعطيها الدورة وكلفتها بالخطوات العادية، مقابل γ. يكسب التخمين حيث تعلو الرموز على الكلفة.

speedup-show = انظر إلى
speedup-show-map = كل قيم α وc
speedup-show-price = العمليات والقراءات
speedup-show-simulation = دورات محاكاة
speedup-show-lenience = التساهُل

speedup-map-note = v هي المختارة أعلاه. الخط الداكن هو «لا كسب»: فوقه توجد γ تكسب. الحلقة هي α وc عندك، والمعيّنات قياسات { $paper }، وعلامات × قياسات هذا الجهاز.
speedup-map-gain = معامل التسريع عند أفضل γ من ١ فأكثر
speedup-map-best = أفضل γ
speedup-map-gain-alt = خريطة على c وα: معامل التسريع عند أفضل γ، وخط انعدام الكسب.
speedup-map-best-alt = خريطة على c وα: أفضل γ، وصفر حيث لا كسب.
speedup-mark-paper = الورقة
speedup-mark-machine = هذا الجهاز
speedup-mark-here = هنا
speedup-mark-even = لا كسب

speedup-size = حجم المُسوِّد ÷ حجم الهدف، ĉ
    .help = بعدد المعاملات: نصيب خطوة المُسوِّد من العمليات وبايتات الأوزان قياسًا إلى خطوة الهدف.
speedup-price-told = عند γ = { $gamma } يكلّف الرمز **{ $operations }** ضعفًا من عمليات فك الترميز العادي، و**{ $reads } ٪** من قراءات أوزانه. ومن { $verified } من المواضع المفحوصة في الدورة لا يعطي { $wasted } منها رمزًا في المتوسط.
speedup-price-alt = العمليات لكل رمز، وبايتات الأوزان المقروءة لكل رمز، ونسبة المواضع المفحوصة التي لا تعطي رمزًا، مقابل γ. والعدد ١ هو فك الترميز العادي.
speedup-line-operations = العمليات لكل رمز
speedup-line-reads = بايتات الأوزان المقروءة لكل رمز
speedup-line-wasted = نسبة المواضع المفحوصة بلا رمز
speedup-axis-price = قياسًا إلى فك الترميز العادي

speedup-process = حالات القبول
speedup-process-independent = مستقلة
speedup-process-position = بحسب الموضع
speedup-process-streaks = متتابعة
speedup-rounds = عدد الدورات المحاكاة
speedup-seed = البذرة
speedup-slope = تغيّر القبول من موضع إلى الذي يليه
    .help = تحت الصفر: المُسوَّدات المتأخرة أسوأ. فوق الصفر: المُسوَّدة التي بلغت بعيدًا تقع على نص سهل.
speedup-stay = احتمال أن تكرر النتيجة ما قبلها
    .help = وإلا سُحبت من جديد باحتمال α. فيبقى المتوسط α، لكن الرموز المقبولة تأتي معًا.
speedup-process-independent-told = تُقبل كل مُسوَّدة باحتمال α مهما سبقها. وهذا افتراض المعادلة ١.
speedup-process-position-told = يتغير الاحتمال بحسب الموضع في الدورة. فرق الرموز في الدورة عن المعادلة ١: { $gap }. الجداء على المواضع يعطي المتوسط الصحيح، وقيمة α واحدة للجميع لا تعطيه.
speedup-process-streaks-told = النص السهل والنص الصعب يأتيان متتابعين، والمتوسط يبقى α. فرق الرموز في الدورة عن المعادلة ١: { $gap }. فقد تتنبأ α المقيسة بأقل من الواقع.
speedup-fact-simulated = الرموز في الدورة، محاكاة
speedup-fact-by-position = الصيغة بحسب الموضع
speedup-fact-equation = المعادلة ١
speedup-fact-simulated-gain = معامل التسريع، محاكاة
speedup-fact-ratio = المقبول ÷ المُسوَّد (ليس α)
speedup-rounds-title = كم رمزًا تعطي الدورة
speedup-rounds-alt = نسبة الدورات المحاكاة بحسب عدد الرموز التي تعطيها، بجانب الصيغة.
speedup-positions-title = القبول بحسب الموضع
speedup-positions-alt = القبول عند كل موضع في الدورة: بشرط بلوغه، ونسبةً من كل الدورات. والخط المتقطع هو α.
speedup-bar-simulated = محاكاة
speedup-bar-formula = الصيغة
speedup-axis-tokens = الرموز في الدورة
speedup-axis-share = نسبة الدورات
speedup-line-conditional = بشرط بلوغه
speedup-line-unconditional = من كل الدورات
speedup-axis-position = الموضع في الدورة
speedup-axis-accepted = القبول

speedup-lenience-approximate = تقريبي: حين يقل التساهُل عن ١ لا يعود للمُخرَج توزيع النموذج الهدف.
speedup-lenience-note = التساهُل l يقبل الرمز المُسوَّد باحتمال $\min(1, p / (l q))$. لا يزيد احتمال أي رمز على p / l، لكن الرموز النادرة قد تختفي. ويبتعد توزيع الرمز عن توزيع الهدف بما تكسبه α على الأقل (مسافة التباين الكلي). وقيم α كما قاسها { $paper } لترجمة الإنكليزية إلى الألمانية.
speedup-lenient = المُسوِّد
speedup-lenient-unigram-t1 = أحادي الكلمات (unigram)، حرارة ١
speedup-lenient-bigram-t1 = ثنائي الكلمات (bigram)، حرارة ١
speedup-lenient-T5-small-t1 = T5-small، حرارة ١
speedup-lenient-T5-base-t1 = T5-base، حرارة ١
speedup-lenient-T5-small-t0 = T5-small، حرارة ٠
speedup-lenience-alphas = القبول، والانحراف الذي يكلّفه
speedup-lenience-alphas-alt = قيمة α عند كل تساهُل: الجزء التام وجزء الانحراف.
speedup-lenience-gains = معامل التسريع عند أفضل γ، مع c وv عندك
speedup-lenience-gains-alt = معامل التسريع عند أفضل γ لكل تساهُل.
speedup-bar-exact = تام
speedup-bar-drift = انحراف
speedup-axis-lenience = التساهُل l

speedup-table = صف لكل γ

speedup-column-gamma = γ
speedup-column-tokens = الرموز في الدورة
speedup-column-v = v
speedup-column-cost = الكلفة بالخطوات العادية
speedup-column-speedup = معامل التسريع
speedup-column-operations = العمليات لكل رمز
speedup-column-reads = قراءات الأوزان لكل رمز
speedup-column-wasted_percent = المفحوص بلا رمز، ٪
speedup-column-lenience = التساهُل l
speedup-column-alpha = α
speedup-column-distance = البعد عن توزيع الهدف على الأقل

speedup-notice-bonus = تعطي الدورة رمزًا واحدًا حتى لو لم يُقبل شيء، وγ + ١ رمزًا إن قُبلت كلها. ومن ينسَ ذلك الرمز يجد كل معامل تسريع أصغر من حقيقته.
speedup-notice-best = المنحنى منبسط قرب أفضل γ ويهبط بعدها ببطء. وقيمة γ أكبر قليلًا من اللازم تكلّف قليلًا، إلا إذا كبرت c أو v.
speedup-notice-batch = في نموذج السقف تترك الدفعة الصغيرة وحدة الضرب عاطلة فتبقى v عند ١. فإذا شغلتها الصفوف، وعددها حجم الدفعة مضروبًا في γ + ١، كبرت v كما تكبر γ + ١، ودُفع ثمن الرموز المرفوضة كاملًا.
speedup-notice-price = التخمين لا يوفّر العمليات أبدًا: ينفق منها أكثر ليقرأ الأوزان أقل. وهذا يكسب حيث تكون القراءة هي عنق الزجاجة.

speedup-try-random = خذ مُسوِّدًا يخمّن عشوائيًا: α = ٠٫٠٢. أي γ هي الأفضل، ولماذا؟
speedup-try-large = خذ مُسوِّدًا يكاد يبطؤ كالهدف: α = ٠٫٧ وc = ٠٫٨. أي γ تكسب؟
speedup-try-batch = تحقَّق من ٣٢ تسلسلًا معًا على نواتي CPU. ماذا يحدث لقيمة v؟
speedup-try-streaks = اجعل حالات القبول متتابعة مع α = ٠٫٦: كم تخطئ المعادلة ١؟
