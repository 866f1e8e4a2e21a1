paper-results-title = هل تقول الصيغة ما قاسته الورقة؟
    .nav = نتائج الورقة
paper-results-why = تتنبأ الورقة بكل معامل تسريع من α وγ وc ثم تقيسه. كلاهما هنا، والتنبؤ يُحسب من جديد وأنت تنظر، ومثله لهذا الجهاز.

paper-results-conditions = { $paper }، ICML ٢٠٢٣. النموذج الهدف T5-XXL وفيه ١١ مليار معامل، وحجم الدفعة ١، على TPU-v4 واحدة. المهام: ترجمة الإنكليزية إلى الألمانية (EnDe) والتلخيص (CNNDM)، ولقيم α أيضًا نص حر (lm1b) وحوار (dialog).
paper-results-task = المهمة
paper-results-task-all = الكل
paper-results-draft = المُسوِّد
paper-results-draft-all = الكل
paper-results-temperature = درجة الحرارة
paper-results-temperature-all = الكل
paper-results-own-kind = نوع المُدخَل
paper-results-own-kind-all = الكل
paper-results-own-draft = المُسوِّد
paper-results-own-draft-all = الكل
paper-results-own-temperature = درجة الحرارة
paper-results-own-temperature-all = الكل
paper-results-none = لا شيء في هذا الجدول يوافق ما اخترت.

paper-results-speedups = الجدولان ٢ و٤: المتوقَّع مقابل المقيس
paper-results-speedups-told = في { $above } من { $rows } من الصفوف يعلو معامل التسريع المقيس على المتوقَّع. وعلى الخط المتقطع يتساويان. اللون للمهمة والشكل للمُسوِّد، والعلامات المفرغة عند درجة الحرارة ١.
paper-results-speedups-alt = معامل التسريع المتوقَّع لكل قياس، بالمبرهنة ٣٫٨، مقابل المقيس. والأعداد نفسها في الجدول.
paper-results-rounded = الحساب الجديد: المبرهنة ٣٫٨ عند قيم α وγ وc المطبوعة. ثلاثة صفوف تقل ٠٫١ عن المطبوع (EnDe مع T5-base وT5-large عند درجة الحرارة ١، وCNNDM مع T5-large عند درجة الحرارة ١)، لأن α وc قُرِّبتا قبل الطبع.
paper-results-diagonal = المقيس = المتوقَّع
paper-results-axis-expected = معامل التسريع المتوقَّع
paper-results-axis-measured = معامل التسريع المقيس

paper-results-alphas = الجدول ٣: معدّلات القبول
paper-results-alphas-told = α هي متوسط $\sum \min(p, q)$ على الرموز التي ولّدها الهدف. وحتى جدول لأزواج الكلمات يُقبل أحيانًا.
paper-results-alphas-alt = قيمة α لكل مُسوِّد ومهمة عند درجتي الحرارة ٠ و١. والأعداد نفسها في الجدول.
paper-results-alphas-table = الجدول ٣

paper-results-own = الجدول نفسه من هذا الجهاز
paper-results-no-recording = لا قياس مُسجَّلًا بعد. هذا الأمر يسجّل قياسًا:
paper-results-own-told = عدد القياسات { $runs }. متوسط بعد التنبؤ عن معامل التسريع المقيس: { $theorem } ٪ بالمبرهنة ٣٫٨، و{ $with_v } ٪ مع v لهذا الجهاز، و{ $by_position } ٪ مع v والقبول المقيس عند كل موضع.
paper-results-own-alt = معامل التسريع المتوقَّع مقابل المقيس لكل قياس على هذا الجهاز: العلامات المفرغة بالمبرهنة ٣٫٨، والممتلئة مع v المقيسة. والأعداد نفسها في الجدول.
paper-results-point-theorem = { $draft }، المبرهنة ٣٫٨
paper-results-point-with-v = { $draft }، مع v

paper-results-operations = الجدول ١: العمليات ومعامل التسريع
paper-results-operations-note = لمُسوِّد لا يكلّف شيئًا: c = ĉ = ٠. والعمليات لكل رمز قياسًا إلى فك الترميز العادي.
paper-results-lenience = الملحق A٥: التساهُل
paper-results-lenience-note = تقريبي: حين يقل l عن ١ لا يعود للمُخرَج توزيع النموذج الهدف، ويبتعد عنه بما تكسبه α على الأقل. ترجمة الإنكليزية إلى الألمانية، وT درجة الحرارة، وسائر الأعمدة α بحسب التساهُل l.
paper-results-lenience-greedy = الصف الأخير عند γ = ٨ وc = ٠٫٠١٥. وما طبعته الورقة من تسريع لدرجة الحرارة ١ متروك: فهو فوق ما تعطيه المبرهنة ٣٫٨ عند أي γ.

paper-results-notice-above = التلخيص أسرع من المتوقَّع: مع T5-small معامله ٣٫١ بدلًا من ٢٫٤. تأخذ الصيغة حالات القبول مستقلة. ومن الأسباب الممكنة تتابعها: حيث يجتمع النص السهل تعطي الدورة رموزًا أكثر والقيمة α نفسها.
paper-results-notice-large = للنموذج T5-large أعلى α وأدنى معامل تسريع: عند c = ٠٫١١ تكلّف مُسوَّداته أكثر مما تجلب. وكان أفضل مُسوِّد أصغر من الهدف بنحو مئة مرة.
paper-results-notice-c = يقول النص إن c كانت دائمًا دون ٠٫٠٥، والجدول ٤ يذكر ٠٫١١ للنموذج T5-large.
paper-results-notice-sharp = α أعلى في الغالب عند درجة الحرارة ٠. كلما احتدّ توزيع الهدف سهل تخمينه.

paper-results-try-large = اعرض T5-large وحده: كم ينزل المقيس عن المتوقَّع؟
paper-results-try-summaries = اعرض التلخيص عند درجة الحرارة ٠: أي قياس يسبق توقُّعه أكثر؟
paper-results-try-bigram = اعرض المُسوِّد bigram: قيمة α في الترجمة نحو ٠٫٢. والرابط أدناه يفتح ذلك المُسوِّد عند γ = ٣ وكسبه الربع.

paper-results-column-task = المهمة
paper-results-column-draft = المُسوِّد
paper-results-column-temperature = الحرارة
paper-results-column-gamma = γ
paper-results-column-alpha = α
paper-results-column-c = c
paper-results-column-recomputed = المتوقَّع (المبرهنة ٣٫٨)
paper-results-column-printed = المتوقَّع كما طُبع
paper-results-column-measured = المقيس
paper-results-column-ratio = المقيس ÷ المتوقَّع
paper-results-column-target = الهدف
paper-results-column-alpha_t0 = α عند الحرارة ٠
paper-results-column-alpha_t1 = α عند الحرارة ١
paper-results-column-operations_printed = العمليات كما طُبعت
paper-results-column-operations = العمليات
paper-results-column-speedup_printed = معامل التسريع كما طُبع
paper-results-column-speedup = معامل التسريع
paper-results-column-lenience = التساهُل l
paper-results-column-distance = البعد عن توزيع الهدف على الأقل
paper-results-column-kind = نوع المُدخَل
paper-results-column-batch = حجم الدفعة
paper-results-column-alpha_error = الخطأ المعياري لقيمة α
paper-results-column-v = v
paper-results-column-tokens = الرموز في التمريرة
paper-results-column-with_v = مع v
paper-results-column-by_position = مع v بحسب الموضع
paper-results-column-low = الربيع الأول
paper-results-column-high = الربيع الثالث
