determinism-title = ما كلفة الحتمية؟
    .nav = كلفة الحتمية
determinism-why = لكل طريقة تمنع الجار من تغيير جوابك كلفة. هنا تفك كل الطرق ترميز المُدخَلات نفسها: ما الذي يبقى متساويًا، وكم يزيد زمن كل رمز.

determinism-strategies = الاستراتيجيات
    .help = bf16: بلا فحص. fp32 وbf16-invariant: حساب لا تغيّره الدفعة. every-step و`window-16` و`window-32` و`window-64`: متحقِّق بدقة FP32 يعيد تشغيل كل الرموز، بعد كل رمز أو حين تمتلئ النافذة كما في `LLM-42`. margingate: سياسة الورقة، بطابور أو بدونه. replay: طريقة هذا المختبر، متحقِّق له ذاكرته ينظر حيث يصغر الهامش.
determinism-batches = أحجام الدفعة
    .help = دفعات حقيقية: تنضم طلبات كلما غادرت أخرى.
determinism-prompts = المُدخَلات
determinism-length = الرموز الجديدة
determinism-tau = العتبة τ
    .help = كل رمز لا يزيد هامش اللوجيت عنده على τ يطلب نظرة. يخص margingate وreplay.
determinism-window = النافذة
    .help = ينظر replay في أقصى الأحوال بعد هذا العدد من رموز الصف غير المفحوصة، وكذلك طابور margingate-queued.
determinism-pass = حجم التمريرة
    .help = ينتظر replay حتى يجتمع للصفوف المعلَّمة هذا العدد من المواضع، ثم يفحصها في تمريرة واحدة.
determinism-more = الطابور والمرجع وجدول الترتيب
determinism-queue = الطابور
    .help = عدد المواضع المعلَّمة التي يجمعها margingate-queued لتمريرة واحدة.
determinism-rounds = مرات القياس
    .help = كم مرة تُقاس كل استراتيجية، بالتناوب. والأزمنة هي الوسيط: الجهاز المشغول يشوّش القياس المفرد.
determinism-grid-run = شغِّل replay أيضًا بعدد ١٢ بوابة
    .help = عتبة τ بقيم ٠٫١٢٥ و٠٫٢٥ و٠٫٥، ونافذتان ٨ و٣٢، وتمريرتان من ١ و٣٢ موضعًا، عند أكبر حجم الدفعة المختار.
determinism-reference = المرجع
    .help = ما يُقارَن به التشغيل المفحوص: fp32، أو bf16-solo وهو مسار BF16 حين يعمل منفردًا.
determinism-lane = المسار
    .help = الحساب السريع. يحسب bf16-emulated كما تحسب وحدة GPU، وbf16-native هو ما تفعله torch على هذا الجهاز.
determinism-split-k = جدول split-K
    .help = أزواج صفوف:أقسام. المعنى في `1:4,8:2`: صف واحد بأربعة مجاميع جزئية، وحتى ٨ صفوف بمجموعين، وفوق ذلك بمجموع واحد.

determinism-trace = افتح سجلًا محفوظًا
determinism-open = سجل من هذه الصفحة أو من `gate compare` (JSONL)
determinism-save = سجل التشغيل (JSONL)
determinism-recorded = عدد المُدخَلات { $prompts }، ولكل منها حتى { $length } من الرموز، وحجم الدفعة { $batches }، والمقارنة مع { $reference }.
determinism-empty = لم تنتهِ أي استراتيجية بعد.
determinism-no-times = لا زيادة معروفة هنا: تلزم لها دفعات حقيقية، وأن يكون BF16 وحده (bf16) بين الاستراتيجيات.
determinism-emulated = حجم الدفعة محاكى في بعض السجلات: ضُبط جدول الترتيب على الحجم وتشارك حتى ٣٢ صفًا في تمريرة. انقلاباتها ورموزها صحيحة، أما خطواتها وتمريراتها فلتمريرات أعرض، وأزمنتها متروكة.

determinism-verdict-bf16 = **BF16 وحده:** { $shapes ->
    [1] { $equal } ٪ من التسلسلات هي تسلسلات المرجع.
   *[other] { $identical } ٪ من التسلسلات متطابقة مهما كان حجم الدفعة، و{ $equal } ٪ هي تسلسلات المرجع عند كل حجم.
}
determinism-verdict-margingate = **MarginGate كما تصفه الورقة:** { $shapes ->
    [1] { $equal } ٪ كالمرجع
   *[other] { $identical } ٪ متطابقة، و{ $equal } ٪ كالمرجع
}، مع تعليم { $trigger } ٪ من الصفوف.
determinism-verdict-replay = **إعادة التشغيل ببوابة الهامش:** { $shapes ->
    [1] { $equal } ٪ كالمرجع
   *[other] { $identical } ٪ متطابقة، و{ $equal } ٪ كالمرجع
}، وطلب النظر { $trigger } ٪ من الصفوف.
determinism-verdict-ratio = زيادة every-step ÷ زيادتها: { $at }.
determinism-verdict-at = { $ratio } عند الدفعة { $batch }
determinism-comma = {" "}و

determinism-at = عند حجم الدفعة
determinism-axis-equal = التسلسلات المساوية للمرجع
determinism-one-size = حجم الدفعة واحد هنا: لا يُرى هل تبقى التسلسلات نفسها عند أحجام أخرى. ويعرض الرسم بدلًا من ذلك التسلسلات المساوية للمرجع.
determinism-axis-identical = التسلسلات المتطابقة مهما كان حجم الدفعة
determinism-axis-increment = الزمن المضاف إلى كل رمز فوق BF16 وحده
determinism-cost-alt = لكل استراتيجية: نسبة التسلسلات المتطابقة، وما يزيده كل رمز بالملّي ثانية على BF16 وحده، عند حجم الدفعة { $batch }. والأعداد نفسها في الجدول.
determinism-cpu = مسار BF16 على وحدة CPU محاكاة وهو أبطأ من FP32. فالزيادة تقول ما يضيفه الفحص إلى BF16 وحده، ولا تقول كيف ترتّب وحدة GPU المسارات. والعلامات المفرغة لا تفحص شيئًا: زيادتها مقارنة بين حسابين على هذا الجهاز وحده، وقد تنزل تحت الصفر.

determinism-table = صف لكل استراتيجية
determinism-exact-construction = مطابق لفك الترميز الجشع في { $reference } بحكم البناء
determinism-exact-invariant = واحد بحكم البناء مهما كان حجم الدفعة، برموزه هو
determinism-exact-measured = بقدر ما قيس، بلا ضمان
determinism-exact-none = لا شيء

determinism-grid = متى ينظر replay؟
determinism-grid-why = تنتهي إعادة التشغيل إلى الرموز نفسها مهما كانت البوابة، فالبوابة لا تنقل إلا الكلفة. **النظرة المبكرة** تجد الانقلاب قبل أن يُكتب خلفه كثير، فيقل ما يُتراجع عنه، لكنها تفحص مواضع قليلة، وكلفة تمريرتها تقارب كلفة تمريرة أملأ. **النظرة المتأخرة** تملأ تمريرتها، لكن يضيع كل ما فُك ترميزه خلف انقلاب لم يُرَ.
determinism-grid-recorded = من السجل المُسجَّل: تشغيل ببوابة واحدة ليست له شبكة.
determinism-no-grid = في هذا السجل بوابة واحدة من replay.
determinism-no-tau = بلا
determinism-no-window = عند النهاية
determinism-measure = المعروض
determinism-measure-increment = الزمن المضاف
determinism-measure-waste = المتراجَع عنه
determinism-measure-filling = مواضع التمريرة
determinism-grid-pass = حجم التمريرة
determinism-grid-increment = ما يزيده كل رمز على BF16 وحده بالملّي ثانية، عند حجم الدفعة { $batch }. الأغمق أغلى.
determinism-grid-waste = الرموز المتراجَع عنها، نسبة مئوية مما صنعه المسار، عند حجم الدفعة { $batch }. الأغمق أكثر هدرًا.
determinism-grid-filling = متوسط المواضع في التمريرة، عند حجم الدفعة { $batch }. الأغمق أملأ.
determinism-grid-best = أقل زمن مضاف في هذا السجل: { $gate }، أي { $ms } ملّي ثانية لكل رمز عند حجم الدفعة { $batch }. والفرق بين البوابات المتجاورة لا يتجاوز غالبًا تشويش الجهاز.
determinism-grid-alt = replay عند حجم التمريرة { $size }: { $measure } لكل عتبة τ ولكل نافذة
determinism-axis-window = النافذة
determinism-waste = **التراجع في نافذة بسيطة.** إذا انقلبت الرموز كلها بالاحتمال نفسه، قالت الصيغة الأخيرة أدناه كم يضيع من النافذة في المتوسط. أولًا النسبة المتوقعة للرموز المتراجَع عنها ثم النسبة المشاهدة. تفترض الصيغة استقلال الانقلابات، وهي في الواقع تتجمع، والنافذة الأخيرة لكل طلب أقصر.
determinism-waste-rate = نسبة الانقلاب لكل رمز، بالفحص في كل خطوة
determinism-waste-expected = النافذة { $window }: المتوقع
determinism-waste-seen = النافذة { $window }: المشاهد

determinism-papers = إلى جانب الأوراق
determinism-papers-how = اقرأ هذه الأعداد متجاورة لا متنافسة. شغّلت الأوراق نماذج من ٧ إلى ١٤ مليار معامل على وحدات GPU وبمتحقِّقات أخرى. واختارت { $link } قيمة τ على MATH500، وخفضها منسوب إلى زيادة `LLM-42`. أما نموذجنا فهو `SmolLM2-135M` ما لم يقل السجل غير ذلك، وخفضنا منسوب إلى الفحص في كل خطوة. ولا يذكر الملخص الجهاز ولا قيمة τ.
determinism-paper-ours = هذه الصفحة: { $strategy }{ $batch ->
    [0] {""}
   *[other] ، الدفعة { $batch }
}
determinism-paper-column-who = المصدر
determinism-paper-column-model = النموذج
determinism-paper-column-trigger_percent = نسبة الصفوف المعلَّمة
determinism-paper-column-identical_percent = نسبة التسلسلات المتطابقة
determinism-paper-column-reduction = معامل انخفاض الزيادة
determinism-paper-llm42-throughput = الإنتاجية دون اتصال، نسبةً إلى SGLang بلا حتمية (نموذج من ٨ مليارات، وحدة GPU واحدة، ستة أحمال): من { $low } إلى { $high } حين تطلب كل الطلبات الحتمية، ومن { $half } إلى { $half_best } حين يطلبها نصفها.
determinism-paper-llm42-grouping = الإنتاجية بنوافذ من ١٦، نسبةً إلى أفضلها: { $alone } حين يُفحص طلب واحد في المرة، و{ $grouped } حين تُفحص ٣٢ معًا. التمريرة المليئة أجدى.
determinism-paper-llm42-recompute = الرموز التي تُحسب من جديد، بطلب واحد في التمريرة: { $short } ٪ بنافذة ١٦، و{ $long } ٪ بنافذة ٥١٢. وبعدد ٣٢ طلبًا ونافذة ١٦: { $grouped } ٪.
determinism-paper-llm42-invariant = ضرب المصفوفات في Triton الذي لا تغيّره الدفعة يستغرق { $one } مرة من زمن الضرب المعتاد عند رمز واحد، و{ $many } عند ١٢٨، و{ $most } عند ٢٠٤٨ (وحدة GPU واحدة). تلك كلفة نوى حسابية لا تغيّرها الدفعة.
determinism-paper-thinking-machines = عدد ١٠٠٠ من تسلسلات `Qwen3-8B` على وحدة GPU واحدة، وفي كل منها نحو ١٠٠ رمز: { $default } ثانية بالنوى الحسابية المعتادة، و{ $first } ثانية بأول نوى حسابية لا تغيّرها الدفعة، و{ $improved } ثانية بانتباه محسَّن. قُرئت في ملخصات للمقالة.

determinism-notice-measured = تُصلح سياسة الورقة الانقلابات المؤكدة وحدها. ومتحقِّقها يقرأ قيم K/V لم تُفحص قط، وهذه تنحرف شيئًا فشيئًا. لذلك لا تبلغ على هذا النموذج الصغير ١٠٠ ٪ بتكبير τ. وقاست الورقة ١٠٠ ٪ على نماذج أكبر.
determinism-notice-construction = كل استراتيجية تعيد التشغيل بذاكرة FP32 خاصة بها تبلغ ١٠٠ ٪. وليس هذا حظًّا في القياس: كل رمز يُفحص في النهاية. ولا تختلف إلا في الكلفة.
determinism-notice-batch = تنخفض زيادة كل رمز كلما كبرت الدفعة، لأن التمريرة تخدم صفوفًا أكثر. وعند دفعة من ٣٢ يكون الحساب هو ما يحدّ وحدة CPU، فيقل ما توفره تمريرة أملأ.
determinism-notice-plain = معدل التفعيل حسب الخطوة أعلى بكثير منه حسب الصف: يكفي صف معلَّم واحد من ٣٢. ويتبع زمن الاستجابة الخطوات، فلا ينخفض بنسبة الصفوف.

determinism-try-tau = اجعل τ تساوي ١ وشغِّل margingate: تُفحص صفوف أكثر، ولا يبلغ ١٠٠ ٪. أما replay فيبلغها.
determinism-try-early = اجعل replay ينظر في كل صف معلَّم فورًا (حجم التمريرة ١): تراجُع أقل وتمريرات أكثر.
determinism-try-windows = قارن نافذة من ١٦ بأخرى من ٦٤ على ٦٤ رمزًا: أيهما أكثر هدرًا، وأيهما تملأ تمريراتها؟
determinism-command = المقارنة نفسها في سطر الأوامر، وتفتح هذه الصفحة الملف الذي يكتبه.

determinism-column-strategy = الاستراتيجية
determinism-column-identical_percent = نسبة المتطابقة في كل الأحجام
determinism-column-equal_percent = نسبة المساوية للمرجع
determinism-column-exact = الدقة المضمونة
determinism-column-gate = البوابة
determinism-column-trigger_row_percent = نسبة الصفوف الطالبة للنظر
determinism-column-trigger_step_percent = نسبة الخطوات الطالبة للنظر
determinism-column-corrections = التصحيحات
determinism-column-rolled_back = الرموز المتراجَع عنها
determinism-column-bonuses = رموز من المتحقِّق
determinism-column-visits = تمريرات المتحقِّق
determinism-column-verified = المواضع المفحوصة
determinism-column-ms_b1 = ملّي ثانية لكل رمز، الدفعة ١
determinism-column-increment_b1 = الزيادة بالملّي ثانية، الدفعة ١
determinism-column-ratio_b1 = every-step ÷ هذه، الدفعة ١
determinism-column-ms_b2 = ملّي ثانية لكل رمز، الدفعة ٢
determinism-column-increment_b2 = الزيادة بالملّي ثانية، الدفعة ٢
determinism-column-ratio_b2 = every-step ÷ هذه، الدفعة ٢
determinism-column-ms_b4 = ملّي ثانية لكل رمز، الدفعة ٤
determinism-column-increment_b4 = الزيادة بالملّي ثانية، الدفعة ٤
determinism-column-ratio_b4 = every-step ÷ هذه، الدفعة ٤
determinism-column-ms_b8 = ملّي ثانية لكل رمز، الدفعة ٨
determinism-column-increment_b8 = الزيادة بالملّي ثانية، الدفعة ٨
determinism-column-ratio_b8 = every-step ÷ هذه، الدفعة ٨
determinism-column-ms_b16 = ملّي ثانية لكل رمز، الدفعة ١٦
determinism-column-increment_b16 = الزيادة بالملّي ثانية، الدفعة ١٦
determinism-column-ratio_b16 = every-step ÷ هذه، الدفعة ١٦
determinism-column-ms_b32 = ملّي ثانية لكل رمز، الدفعة ٣٢
determinism-column-increment_b32 = الزيادة بالملّي ثانية، الدفعة ٣٢
determinism-column-ratio_b32 = every-step ÷ هذه، الدفعة ٣٢
